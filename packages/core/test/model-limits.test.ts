import { expect, test } from "vitest";
import type { CodeModeFailedResult, CodeModeResult } from "@codemode/protocol";
import { settled } from "./fakes/fake-clock.js";
import type { FakeProgram } from "./fakes/fake-guest.js";
import { createTestHost, tool, type TestHostOptions } from "./fakes/test-host.js";

const charsOf = (result: CodeModeResult): number => JSON.stringify(result).length;

interface Marker {
  readonly truncated: true;
  readonly omittedBytes: number;
  readonly prefix: string;
}

function assertPrefix({ prefix, omittedBytes }: Marker, original: unknown): void {
  const text = JSON.stringify(original);
  expect(text.startsWith(prefix)).toBe(true);
  expect(omittedBytes).toBe(Buffer.byteLength(text) - Buffer.byteLength(prefix));
}

function hostFor(main: FakeProgram, maxResultChars: number, more: TestHostOptions = {}) {
  const many = tool("many", (input) => input);
  return createTestHost({
    programs: { main },
    ...more,
    run: { tools: [many], modelContext: { maxResultChars }, ...more.run },
  });
}

const CONTENTS: readonly [string, string][] = [
  ["ASCII", "a"],
  ["quotes", '"'],
  ["control characters", "\u0001"],
  ["two-byte letters", "é"],
  ["three-byte letters", "中"],
  ["surrogate pairs", "😀"],
];

test.each(CONTENTS.flatMap(([name, unit]) => [1_024, 2_000, 9_999].map((limit) => [name, unit, limit] as const)))(
  "LIM-08: a value of %s (%j) fits into %i characters, and uses them",
  async (_name, unit, limit) => {
    const value = unit.repeat(20_000 / unit.length);
    const { run } = hostFor(() => value, limit);
    const result = await run.exec({ code: "main" });
    expect(result.status).toBe("completed");
    assertPrefix((result as { value: unknown }).value as Marker, value);
    expect(charsOf(result)).toBeLessThanOrEqual(limit);
    // The last character may not fit, nor the rest of a changed number of digits.
    expect(charsOf(result)).toBeGreaterThan(limit - 16);
  },
);

test("LIM-08: what fits the model whole is not cut, to the character", async () => {
  const value = "中".repeat(3_000);
  const whole = charsOf(await hostFor(() => value, 100_000).run.exec({ code: "main" }));
  expect(await hostFor(() => value, whole).run.exec({ code: "main" })).toMatchObject({ value });
  const cut = await hostFor(() => value, whole - 1).run.exec({ code: "main" });
  expect(cut).toMatchObject({ value: { truncated: true } });
  expect(charsOf(cut)).toBeLessThan(whole);
});

test("LIM-08: output, error and value share the characters; the byte budget still holds", async () => {
  const main: FakeProgram = (guest) => {
    for (let n = 0; n < 100; n++) guest.text(`line ${n} ${"x".repeat(50)}`);
    throw new Error(`cause ${"e".repeat(5_000)}`);
  };
  const result = (await hostFor(main, 3_000).run.exec({ code: "main" })) as CodeModeFailedResult;
  expect(charsOf(result)).toBeLessThanOrEqual(3_000);
  expect(result.error).toMatch(/^Error: cause e+ \[error truncated\]$/);
  expect(result.output).toMatchObject([{ type: "json", value: { truncated: true } }]);
  const bounded = hostFor(() => "中".repeat(3_000), 100_000, { config: { maxOutputBytes: 1_024 } });
  const { value } = (await bounded.run.exec({ code: "main" })) as { value: unknown };
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(1_024);
});

test("LIM-08: each wait has the characters anew; what did not fit comes as a summary of all, and once", async () => {
  const write = (letter: string): string => letter.repeat(1_500);
  const { run } = hostFor(async (guest) => {
    for (const letter of ["a", "b"]) {
      guest.text(write(letter));
      await guest.yieldControl();
    }
    guest.text(write("c"));
    guest.text(write("d"));
    await guest.yieldControl();
    await guest.yieldControl();
    guest.text("e");
    return "done";
  }, 2_400);
  const texts = (...letters: string[]): object[] => letters.map((letter) => ({ type: "text", text: write(letter) }));
  let result = await run.exec({ code: "main" });
  expect(result.output).toEqual(texts("a"));
  const { runId } = result as { runId: string };
  result = await run.wait({ runId });
  expect(result.output).toEqual(texts("b"));
  result = await run.wait({ runId });
  const [summary] = result.output as [{ type: string; value: Marker }];
  assertPrefix(summary.value, texts("a", "b", "c", "d"));
  expect(charsOf(result)).toBeLessThanOrEqual(2_400);
  result = await run.wait({ runId });
  expect(result.output).toBeUndefined();
  expect(await run.wait({ runId })).toMatchObject({ value: "done", output: [{ type: "text", text: "e" }] });
});

test("LIM-08: the effect ledger takes at most half, its last rows", async () => {
  const { run } = hostFor(async (guest) => {
    for (let n = 0; n < 100; n++) await guest.call("many");
    throw new Error("at the end");
  }, 2_000);
  const result = (await run.exec({ code: "main" })) as CodeModeFailedResult;
  const shown = result.calls?.length ?? 0;
  expect(JSON.stringify(result.calls).length).toBeLessThanOrEqual(1_000);
  expect(shown).toBeGreaterThan(20);
  expect(result).toMatchObject({
    error: "Error: at the end",
    warnings: [`calls lists the last ${shown} calls; ${100 - shown} earlier ones are left out.`],
  });
  expect(charsOf(result)).toBeLessThanOrEqual(2_000);
});

test("ERR-03: output_limit_exceeded is an envelope that alone exceeds the model's limit; the cell and its calls are ended", async () => {
  const aborted: boolean[] = [];
  const hang = tool("hang", (_input, { signal }) => {
    signal.addEventListener("abort", () => aborted.push(signal.aborted));
    return new Promise(() => {});
  });
  const { run, clock, executor, events } = hostFor(
    (guest) => Promise.all(Array.from({ length: 40 }, () => guest.call("hang"))),
    1_200,
    { config: { timeoutMs: 1_000, maxPendingToolCalls: 40 }, run: { tools: [hang] } },
  );
  const exec = run.exec({ code: "main" });
  await clock.advance(1_000);
  const result = (await exec) as CodeModeFailedResult;
  expect(result).toMatchObject({
    status: "failed",
    error: "the result does not fit into 1200 characters even without its content.",
    code: "output_limit_exceeded",
    failurePhase: "host",
  });
  expect(result.calls?.every(({ name, status }) => name === "hang" && status === "unknown")).toBe(true);
  expect(charsOf(result)).toBeLessThanOrEqual(1_200);
  await settled();
  expect([aborted.length, clock.armed(), executor.counts.opened - executor.counts.closed]).toEqual([40, 0, 0]);
  const { runId } = events.find(({ type }) => type === "cell-park") as { runId: string };
  expect(await run.wait({ runId })).toMatchObject({ error: "code mode run is unavailable or expired." });
});

test("LIM-08: a refusal fits too", async () => {
  const { run } = hostFor(() => null, 1_024, {
    run: { hooks: { beforeToolCall: async () => ({ block: "é".repeat(900) }) } },
  });
  const result = await run.exec({ code: "main" });
  expect(result).toMatchObject({ status: "failed", failurePhase: "input" });
  expect(charsOf(result)).toBeLessThanOrEqual(1_024);
});

test.each([0, 1_023, 1_024.5, NaN, "5000"])("LIM-08: maxResultChars %s is refused", (maxResultChars) => {
  expect(() => hostFor(() => null, maxResultChars as number)).toThrow(
    "modelContext.maxResultChars: it must be a whole number of at least 1024 characters.",
  );
});

test("without a model context nothing but the byte budget counts", async () => {
  const value = "a".repeat(60_000);
  const { run } = createTestHost({ programs: { main: () => value } });
  expect(await run.exec({ code: "main" })).toMatchObject({ status: "completed", value });
});
