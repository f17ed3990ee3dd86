import {
  HOSTILE_SURFACE,
  answerHostile,
  describeHostileCells,
  describeHostileEndings,
  type HostileOutcome,
  type HostileRunOptions,
} from "@codemode/testing";
import type { CellStep } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { createExecutor, failureOf, OPTIONS, runCell, sourceStart, valueOf, AMPLE_MS } from "./executor.js";

const { executor, events } = createExecutor();
const TIMEOUT = { code: "timeout", phase: "guest" };

/** Errors at the end of the stack are slow, so interrupts may come late; the watchdog is not what is tested with these. */
const PATIENT_GRACE_MS = 10_000;

/** Runs a cell on a real worker thread. */
async function run(
  source: string,
  { budgetMs = AMPLE_MS, memoryLimitBytes = OPTIONS.limits.memoryLimitBytes }: HostileRunOptions,
): Promise<HostileOutcome> {
  await executor.prewarm();
  const limits = { ...OPTIONS.limits, memoryLimitBytes };
  const session = executor.openSession({ limits, watchdogGraceMs: PATIENT_GRACE_MS });
  const start = { type: "source", source, language: "javascript", surface: HOSTILE_SURFACE } as const;
  let step = await session.start(start, budgetMs);
  const output: unknown[] = [];
  for (;;) {
    output.push(...step.output.items.map(({ text }) => JSON.parse(text) as unknown));
    if (step.type !== "boundary") break;
    step = await session.deliver({ replies: step.requests.map(answerHostile) }, budgetMs);
  }
  return { ...endingOf(step), ...(output.length === 0 ? {} : { output }) };
}

function endingOf(step: CellStep): HostileOutcome {
  if (step.type === "completed") return { value: JSON.parse(step.value.text) as unknown };
  if (step.type !== "failed") throw new Error("the cell did not end");
  const { location: _, ...failure } = step.failure;
  return { failure };
}

describeHostileCells("a worker thread", run);
describeHostileEndings("a worker thread", run, { hasThreadStack: true });

describe("a worker outlives what it can interrupt", () => {
  test.each(["javascript", "typescript"] as const)("LIM-01: an endless loop in %s", async (language) => {
    await executor.prewarm({ typescript: true });
    const before = events.length;
    expect(failureOf(await runCell(executor, "while (true) {}", { remainingMs: 300, language }))).toMatchObject(
      TIMEOUT,
    );
    expect(valueOf(await runCell(executor, "return 2"))).toBe(2);
    expect(events.length).toBe(before);
  });

  test("LIM-03: exhausted memory", async () => {
    await executor.prewarm();
    const before = events.length;
    const limits = { ...OPTIONS.limits, memoryLimitBytes: 8 * 1024 * 1024 };
    const source = "const hoard = []; while (true) hoard.push(new Array(1000).fill(hoard.length));";
    expect(failureOf(await runCell(executor, source, { session: { limits } }))).toEqual({
      message: "Error: out of memory: the cell may use 8388608 bytes. Keep less data at a time.",
      phase: "guest",
    });
    expect(valueOf(await runCell(executor, "return 2"))).toBe(2);
    expect(events.length).toBe(before);
  });

  test("LIM-02: a native operation that ignores interrupts ends by the watchdog at the latest", async () => {
    await executor.prewarm();
    const session = { watchdogGraceMs: 100 };
    const step = await runCell(executor, "return new Array(1e9).join('x').length", { remainingMs: 200, session });
    expect(failureOf(step)).toMatchObject(TIMEOUT);
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

describe("a forged stack names a place in the source or none", () => {
  test.each([
    ["codemode:cell.js:999999:1", undefined],
    ["codemode:cell.js:9007199254740993:1", undefined],
    ["codemode:cell.js:0:0", undefined],
    ["codemode:cell.js:1:0", undefined],
    ["codemode:prelude.js:1:30", undefined],
    ["codemode:cell.js:1:21", { line: 1, column: 21 }],
    ["codemode:cell.js:1:999999999999999999999", { line: 1, column: 102 }],
  ])("ERR-04: %s", async (place, location) => {
    const source = `throw Object.assign(new Error("x"), { stack: "at host (${place})" });`;
    const failure = { message: "Error: x", phase: "guest" };
    expect(failureOf(await runCell(executor, source))).toEqual(location ? { ...failure, location } : failure);
  });
});
