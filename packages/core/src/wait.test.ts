import { expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";

const UNAVAILABLE = "code mode run is unavailable or expired.";

function withoutTelemetry({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

function slowHost(config = {}, maxSuspended = 64) {
  const gates = { a: deferred<string>(), b: deferred<string>() };
  const calls: string[] = [];
  const signals: AbortSignal[] = [];
  const slow = tool("slow", ({ key }: { key: "a" | "b" }, { signal }) => {
    calls.push(key);
    signals.push(signal);
    return gates[key].promise;
  });
  const made = createTestHost({
    config: { timeoutMs: 1_000, ...config },
    maxSuspended,
    programs: {
      quick: (guest) => guest.call("echo"),
      one: async (guest) => {
        guest.text("start");
        const kept = new Map([["local", 1]]);
        const got = await guest.call("slow", { key: "a" });
        guest.text("end");
        return [got, kept.get("local")];
      },
      two: async (guest) => {
        const first = await Promise.race([guest.call("slow", { key: "a" }), guest.call("slow", { key: "b" })]);
        guest.text(`first ${String(first)}`);
        return first;
      },
      yields: async (guest) => {
        guest.text("before");
        await Promise.all([guest.yieldControl(), guest.yieldControl()]);
        return "after";
      },
    },
    run: { tools: [slow, tool("echo", (input) => input)] },
  });
  const park = async (program: string): Promise<CodeModeResult> => {
    const result = made.run.exec({ code: program });
    await made.clock.advance(750);
    return result;
  };
  return { ...made, gates, calls, signals, park };
}

test("WAIT-01, WAIT-03, WAIT-04: a slow call parks the cell at the margin; wait goes on without calling again", async () => {
  const { run, clock, gates, calls, park, executor, events } = slowHost();
  const waiting = await park("one");
  expect(withoutTelemetry(waiting)).toEqual({
    status: "waiting",
    runId: expect.stringMatching(/^cm_id-\d+$/) as unknown,
    reason: "pending_tools",
    pendingToolCalls: [{ id: expect.stringMatching(/^id-/) as unknown, name: "slow" }],
    output: [{ type: "text", text: "start" }],
  });
  const { runId } = waiting as { runId: string };
  const again = run.wait({ runId });
  await clock.advance(100);
  gates.a.resolve("A");
  expect(withoutTelemetry(await again)).toEqual({
    status: "completed",
    value: ["A", 1],
    output: [{ type: "text", text: "end" }],
  });
  expect([calls, executor.counts]).toEqual([
    ["a"],
    { opened: 2, started: 1, resumed: 1, delivered: 0, parked: 1, closed: 2 },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    "cell-start",
    "call-start",
    "cell-park",
    "call-end",
    "cell-resume",
    "cell-end",
  ]);
  expect(withoutTelemetry(await run.wait({ runId }))).toMatchObject({ error: UNAVAILABLE });
});

test("WAIT-05: wait blocks for news and returns waiting only at its own margin, without a restore", async () => {
  const { run, clock, gates, park, executor } = slowHost();
  const { runId } = (await park("one")) as { runId: string };
  const second = run.wait({ runId });
  let isDone = false;
  void second.then(() => (isDone = true));
  await clock.advance(749);
  expect(isDone).toBe(false);
  await clock.advance(1);
  expect(withoutTelemetry(await second)).toEqual({
    status: "waiting",
    runId,
    reason: "pending_tools",
    pendingToolCalls: [{ id: expect.any(String) as unknown, name: "slow" }],
  });
  expect(executor.counts).toMatchObject({ resumed: 0, parked: 1 });
  gates.a.resolve("A");
  expect(await run.wait({ runId })).toMatchObject({ status: "completed", value: ["A", 1] });
});

test("WAIT-04: a run parks again and keeps its runId; output arrives once", async () => {
  const { run, clock, gates, park } = slowHost();
  const { runId } = (await park("two")) as { runId: string };
  gates.b.resolve("B");
  const second = run.wait({ runId });
  await clock.advance(750);
  expect(withoutTelemetry(await second)).toEqual({
    status: "waiting",
    runId,
    reason: "pending_tools",
    pendingToolCalls: [{ id: expect.any(String) as unknown, name: "slow" }],
    output: [{ type: "text", text: "first B" }],
  });
  gates.a.resolve("A");
  expect(withoutTelemetry(await run.wait({ runId }))).toEqual({ status: "completed", value: "B" });
});

test("WAIT-02: a yield parks at once, and one wait resolves all outstanding yields", async () => {
  const { run, clock } = slowHost();
  const before = clock.now();
  const exec = run.exec({ code: "yields" });
  await settled();
  const waiting = await exec;
  expect(clock.now()).toBe(before);
  expect(withoutTelemetry(waiting)).toEqual({
    status: "waiting",
    runId: expect.stringMatching(/^cm_/) as unknown,
    reason: "yield",
    output: [{ type: "text", text: "before" }],
  });
  const { runId } = waiting as { runId: string };
  expect(withoutTelemetry(await run.wait({ runId }))).toEqual({ status: "completed", value: "after" });
});

test("WAIT-06: refusals have the contract's messages, checked in its order", async () => {
  const { run, clock, gates, park } = slowHost();
  const { runId } = (await park("one")) as { runId: string };
  const refusal = async (input: unknown, call = {}): Promise<unknown> =>
    withoutTelemetry(await run.wait(input as { runId: string }, call));
  const refused = (error: string) => ({ status: "failed", error, code: "invalid_input", failurePhase: "input" });

  expect(await refusal({})).toEqual(refused("runId must be a non-empty string."));
  expect(await refusal({ runId: " " })).toEqual(refused("runId must be a non-empty string."));
  expect(await refusal(undefined)).toEqual(refused("runId must be a non-empty string."));
  expect(await refusal({ runId: "cm_x" }, { agentRunId: "other" })).toEqual(refused(UNAVAILABLE));
  const otherRun = "code mode run belongs to a different agent run.";
  expect(await refusal({ runId }, { agentRunId: "other", sessionId: "other" })).toEqual(refused(otherRun));
  const otherSession = "code mode run belongs to a different session.";
  expect(await refusal({ runId }, { sessionId: "other" })).toEqual(refused(otherSession));

  const first = run.wait({ runId });
  await clock.advance(1);
  expect(await refusal({ runId }, { sessionId: "other" })).toEqual(refused(otherSession));
  expect(await refusal({ runId })).toEqual(refused("code mode run is already being resumed."));
  gates.a.resolve("A");
  expect(await first).toMatchObject({ status: "completed" });
});

test("WAIT-06: two waits at any distance never work on one cell together", async () => {
  for (let distance = 0; distance < 25; distance++) {
    const { run, gates, clock, park, calls, executor } = slowHost();
    const { runId } = (await park("two")) as { runId: string };
    gates.b.resolve("B");
    const first = run.wait({ runId });
    const advanced = clock.advance(750);
    await first.then(
      () => {},
      () => {},
    );
    const second = run.wait({ runId });
    for (let turn = 0; turn < distance; turn++) await Promise.resolve();
    const third = run.wait({ runId });
    gates.a.resolve("A");
    await advanced;
    const results = [await second, await third];
    expect(results.filter(({ status }) => status === "completed").length).toBe(1);
    expect([calls, executor.counts.closed]).toEqual([["a", "b"], executor.counts.opened]);
  }
});

test("WAIT-10: a parked run expires on a timer, its calls are cancelled, its slot is free", async () => {
  const { run, clock, park, signals, host, events } = slowHost({ snapshotTtlSeconds: 5, maxSuspendedPerSession: 1 });
  const { runId } = (await park("one")) as { runId: string };
  await clock.advance(4_999);
  expect(signals[0]?.aborted).toBe(false);
  await clock.advance(1);
  expect(signals[0]?.aborted).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "cell-end", status: "failed", code: "aborted" });
  expect(await run.wait({ runId })).toMatchObject({ error: UNAVAILABLE, code: "invalid_input" });
  expect(await park("one")).toMatchObject({ status: "waiting" });
  await host.close();
});

test.each([
  ["WAIT-08: past the host's cap", { maxSuspended: 1, quota: 16 }, "too many suspended code mode runs."],
  [
    "WAIT-09: past a session's quota",
    { maxSuspended: 64, quota: 1 },
    "too many suspended code mode runs in this session.",
  ],
])("%s a new suspension fails with the exact message", async (_name, { maxSuspended, quota }, error) => {
  const { run, park } = slowHost({ maxSuspendedPerSession: quota }, maxSuspended);
  await park("one");
  expect(withoutTelemetry(await park("one"))).toEqual({
    status: "failed",
    error,
    code: "invalid_input",
    failurePhase: "host",
    output: [{ type: "text", text: "start" }],
    calls: [{ name: "slow", status: "unknown" }],
  });
  expect(await run.exec({ code: "quick" })).toMatchObject({ status: "completed" });
});

test("WAIT-08: a resume keeps its slot with no window, until it has completed", async () => {
  const { run, park, gates, clock } = slowHost({}, 1);
  const { runId } = (await park("two")) as { runId: string };
  gates.b.resolve("B");
  const wait = run.wait({ runId });
  await settled();
  expect(await run.exec({ code: "yields" })).toMatchObject({ error: "too many suspended code mode runs." });
  await clock.advance(750);
  expect(await wait).toMatchObject({ status: "waiting", runId });
  expect(await run.exec({ code: "yields" })).toMatchObject({ error: "too many suspended code mode runs." });
  gates.a.resolve("A");
  expect(await run.wait({ runId })).toMatchObject({ status: "completed" });
  expect(await run.exec({ code: "yields" })).toMatchObject({ status: "waiting", reason: "yield" });
});

test("WAIT-13: a snapshot that cannot be restored fails the wait and frees its slot", async () => {
  const { run, gates, park, executor } = slowHost({ maxSuspendedPerSession: 1 });
  const { runId } = (await park("one")) as { runId: string };
  executor.loseMemories();
  gates.a.resolve("A");
  expect(withoutTelemetry(await run.wait({ runId }))).toEqual({
    status: "failed",
    error: "Error: damaged",
    code: "runtime_unavailable",
    failurePhase: "host",
    calls: [{ name: "slow", status: "completed" }],
  });
  expect(await run.wait({ runId })).toMatchObject({ error: UNAVAILABLE });
  expect(await park("two")).toMatchObject({ status: "waiting" });
});

test("WAIT-15: a cell found too large to park fails; its calls are aborted and unknown", async () => {
  const { park, executor, signals } = slowHost();
  executor.isParkTooLarge = true;
  expect(withoutTelemetry(await park("one"))).toEqual({
    status: "failed",
    error: "snapshot of 2048 bytes",
    code: "snapshot_limit_exceeded",
    failurePhase: "host",
    output: [{ type: "text", text: "start" }],
    calls: [{ name: "slow", status: "unknown" }],
  });
  expect(signals[0]?.aborted).toBe(true);
});

test("a chatty cell is parked at the margin instead of running into its deadline", async () => {
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: {
      main: async (guest) => {
        for (let i = 0; i < 100; i++) {
          await guest.call("echo", { i });
          guest.burn(10);
        }
        return "done";
      },
    },
    run: { tools: [tool("echo", (input) => input)] },
  });
  const waiting = await run.exec({ code: "main" });
  expect(waiting).toMatchObject({ status: "waiting", reason: "pending_tools" });
  expect(await run.wait({ runId: (waiting as { runId: string }).runId })).toMatchObject({
    status: "completed",
    value: "done",
  });
  await clock.advance(0);
});

test("an approval asked while the run is parked suspends the next wait", async () => {
  const asked = deferred();
  const answer = deferred<"allow">();
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: { main: (guest) => guest.call("echo") },
    run: {
      tools: [tool("echo", () => "done")],
      hooks: { beforeToolCall: async (call) => void (call.toolKind === undefined && (await asked.promise)) },
      approve: () => answer.promise,
    },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(750);
  const { runId } = (await exec) as { runId: string };
  asked.resolve(undefined);
  await settled();
  const wait = run.wait({ runId });
  await clock.advance(3_600);
  answer.resolve("allow");
  expect(await wait).toMatchObject({ status: "completed", value: "done", telemetry: { timing: { peopleMs: 3_600 } } });
});
