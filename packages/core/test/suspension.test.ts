import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { deferred, tool } from "./fakes/test-host.js";

function plain({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

test("WAIT-01, WAIT-03, WAIT-04: a slow cell waits, resumes with everything intact, and calls nothing twice", async () => {
  const gate = deferred<string>();
  const calls: string[] = [];
  const run = real.openRun(
    {
      tools: [
        tool("quick", ({ n }: { n: number }) => calls.push(`quick ${n}`)),
        tool("slow", () => {
          calls.push("slow");
          return gate.promise;
        }),
      ],
    },
    { timeoutMs: 2_000 },
  );
  const code = `
    const kept = new Map([["count", await quick({ n: 1 })]]);
    const add = (n) => kept.set("count", kept.get("count") + n);
    const timer = new Promise((resolve) => setTimeout(() => resolve("rang"), 2_000));
    text("before");
    const got = await slow({});
    add(await quick({ n: 2 }));
    text("after");
    return [got, kept.get("count"), await timer];`;
  const waiting = await run.exec({ code });
  expect(plain(waiting)).toEqual({
    status: "waiting",
    runId: expect.stringMatching(/^cm_[0-9a-f-]{36}$/) as string,
    reason: "pending_tools",
    pendingToolCalls: [{ id: expect.any(String) as string, name: "slow" }],
    output: [{ type: "text", text: "before" }],
  });
  const { runId } = waiting as { runId: string };
  setTimeout(() => gate.resolve("done"), 50);
  let result = await run.wait({ runId });
  const output = [...(result.output ?? [])];
  for (let waits = 0; result.status === "waiting" && waits < 5; waits++) {
    expect(result.runId).toBe(runId);
    result = await run.wait({ runId });
    output.push(...(result.output ?? []));
  }
  expect(result).toMatchObject({ status: "completed", value: ["done", 4, "rang"] });
  expect(output).toEqual([{ type: "text", text: "after" }]);
  expect(calls).toEqual(["quick 1", "slow", "quick 2"]);
});

test("WAIT-02: yield_control hands control back, and one wait resolves all yields", async () => {
  const run = real.openRun();
  const code = 'let n = 1; await Promise.all([yield_control("look"), yield_control()]); return ++n;';
  const waiting = await run.exec({ code });
  expect(plain(waiting)).toEqual({
    status: "waiting",
    runId: expect.stringMatching(/^cm_/) as string,
    reason: "yield",
  });
  expect(plain(await run.wait({ runId: (waiting as { runId: string }).runId }))).toEqual({
    status: "completed",
    value: 2,
  });
});

test("EXEC-08: a rejection handled only after a resume does not fail the cell", async () => {
  const run = real.openRun();
  const code = `
    const rejected = Promise.reject(new Error("handled later"));
    await yield_control();
    try { await rejected; } catch (error) { return error.message; }`;
  const { runId } = (await run.exec({ code })) as { runId: string };
  expect(plain(await run.wait({ runId }))).toEqual({ status: "completed", value: "handled later" });
});

test("WAIT-07, WAIT-15: a cell too large to park fails, and its calls are aborted and unknown", async () => {
  const signals: AbortSignal[] = [];
  const slow = tool("slow", (_input, { signal }) => {
    signals.push(signal);
    return deferred().promise;
  });
  const run = real.openRun({ tools: [slow] }, { timeoutMs: 600, maxSnapshotBytes: 1_024 });
  const result = await run.exec({ code: "return slow({})" });
  expect(plain(result)).toEqual({
    status: "failed",
    error: expect.stringMatching(
      /^CodeModeError: The cell holds \d+ bytes and may park at most 1024\. Keep less data across waits\.$/,
    ) as string,
    code: "snapshot_limit_exceeded",
    failurePhase: "host",
    calls: [{ name: "slow", status: "unknown" }],
  });
  const [bytes = 0] = (result as { error: string }).error.match(/\d+/)?.map(Number) ?? [];
  expect(bytes).toBeGreaterThan(1_024);
  expect(signals[0]?.aborted).toBe(true);
});

test("WAIT-07: a cell that holds more than may be parked fails, frees its worker and its slot, and says how much", async () => {
  const run = real.openRun({}, { maxSnapshotBytes: 1024 * 1024, maxSuspendedPerSession: 1 });
  const hold = 'const kept = "x".repeat(3_000_000) + Math.random(); await yield_control(); return kept.length;';
  for (let attempt = 0; attempt < 3; attempt++) {
    const { error } = (await run.exec({ code: hold })) as { error: string };
    const [actual = 0, limit] = (error.match(/\d+/g) ?? []).map(Number);
    expect(actual).toBeGreaterThan(3_000_000);
    expect(actual).toBeLessThan(4_000_000);
    expect(limit).toBe(1024 * 1024);
  }
  const parked = await run.exec({ code: "let kept = 1; await yield_control(); return ++kept;" });
  expect(await run.wait({ runId: (parked as { runId: string }).runId })).toMatchObject({
    status: "completed",
    value: 2,
  });
});

test("LIM-06: the output budget is cumulative over waits", async () => {
  const run = real.openRun({}, { maxOutputBytes: 1_024 });
  const code = 'text("a".repeat(600)); await yield_control(); text("b".repeat(600)); return 1;';
  const waiting = await run.exec({ code });
  expect(waiting).toMatchObject({ output: [{ type: "text", text: "a".repeat(600) }] });
  const { output } = await run.wait({ runId: (waiting as { runId: string }).runId });
  expect(output).toMatchObject([{ type: "json", value: { truncated: true } }]);
});
