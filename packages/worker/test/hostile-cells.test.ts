import { describe, expect, test } from "vitest";
import { createExecutor, failureOf, OPTIONS, runCell, sourceStart, valueOf, AMPLE_MS } from "./executor.js";

const { executor, events } = createExecutor();
const TIMEOUT = { code: "timeout", phase: "guest" };

describe("LIM-01: hostile cells end with the right code and leave the pool usable", () => {
  test.each([
    ["an infinite loop", "while (true) {}"],
    ["a microtask storm", "const again = () => Promise.resolve().then(again); await again();"],
    ["regular expression backtracking", "return /^(a+)+$/.test('a'.repeat(40) + 'b')"],
    ["a getter that never returns", "return { get value() { while (true) {} } }"],
    ["TypeScript", "while (true) {}"],
  ])("%s", async (name, source) => {
    const language = name === "TypeScript" ? "typescript" : "javascript";
    await executor.prewarm({ typescript: language === "typescript" });
    const before = events.length;
    const startedAt = performance.now();
    expect(failureOf(await runCell(executor, source, { remainingMs: 300, language }))).toMatchObject(TIMEOUT);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(valueOf(await runCell(executor, "return 2"))).toBe(2);
    // The guest was interrupted; the worker lives on.
    expect(events.length).toBe(before);
  });

  test("unbounded recursion is an error that the guest can catch", async () => {
    const source = "const deep = () => deep() + 1; try { deep() } catch (error) { return error.name }";
    expect(valueOf(await runCell(executor, source))).toBe("RangeError");
    expect(failureOf(await runCell(executor, "const deep = () => deep() + 1; deep()"))).toMatchObject({
      message: expect.stringMatching(/^RangeError: /) as string,
      phase: "guest",
    });
  });

  test("LIM-02: a native operation that ignores interrupts ends by the watchdog at the latest", async () => {
    await executor.prewarm();
    const session = { watchdogGraceMs: 100 };
    const step = await runCell(executor, "return new Array(1e9).join('x').length", { remainingMs: 200, session });
    expect(failureOf(step)).toMatchObject(TIMEOUT);
    expect(valueOf(await runCell(executor, "return 2"))).toBe(2);
  });

  test("LIM-03: memory exhaustion fails the cell, the next one works", async () => {
    const limits = { ...OPTIONS.limits, memoryLimitBytes: 8 * 1024 * 1024 };
    const source = "const hoard = []; while (true) hoard.push(new Array(1000).fill(hoard.length));";
    expect(failureOf(await runCell(executor, source, { session: { limits } }))).toMatchObject({ phase: "guest" });
    expect(valueOf(await runCell(executor, "return 2"))).toBe(2);
  });

  test("OWN-05: closing a session interrupts its guest and keeps the worker", async () => {
    await executor.prewarm();
    const before = events.length;
    const session = executor.openSession(OPTIONS);
    const step = session.start(sourceStart("while (true) {}"), AMPLE_MS);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await session.close();
    expect(failureOf(await step)).toEqual({
      message: "AbortError: the cell was aborted.",
      code: "aborted",
      phase: "host",
    });
    expect(valueOf(await runCell(executor, "return 2"))).toBe(2);
    expect(events.length).toBe(before);
  });
});
