import { expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";

function ownedHost() {
  const gate = deferred<string>();
  const signals: AbortSignal[] = [];
  const calls: string[] = [];
  const slow = tool("slow", (_input, { signal }) => {
    signals.push(signal);
    return gate.promise;
  });
  const made = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: {
      main: async (guest) => {
        const got = await guest.call("slow");
        await guest.call("next");
        guest.text("went on");
        return got;
      },
      pause: async (guest) => {
        await guest.yieldControl();
        return guest.call("slow");
      },
    },
    run: { tools: [slow, tool("next", () => calls.push("next"))] },
  });
  const parked = async (): Promise<string> => {
    const exec = made.run.exec({ code: "main" });
    await made.clock.advance(750);
    return ((await exec) as { runId: string }).runId;
  };
  return { ...made, gate, signals, calls, parked };
}

function summary(result: CodeModeResult): object {
  const {
    telemetry: _,
    replaySafe: ____,
    output: __,
    calls: ___,
    ...rest
  } = result as CodeModeResult & { calls?: unknown; output?: unknown };
  return rest;
}

const aborted = (reason: string) => ({
  status: "failed",
  error: `code mode cell was aborted: ${reason}`,
  code: "aborted",
  failurePhase: "host",
});

test("OWN-01, OWN-02: aborting the call ends worker and host work, and late results reach nobody", async () => {
  const { run, executor, gate, signals, calls } = ownedHost();
  const controller = new AbortController();
  const exec = run.exec({ code: "main" }, { signal: controller.signal });
  await settled();
  controller.abort();
  const result = await exec;
  expect(summary(result)).toEqual(aborted("the call was cancelled"));
  expect(result).toMatchObject({ calls: [{ name: "slow", status: "unknown" }] });
  expect(signals[0]?.aborted).toBe(true);
  gate.resolve("late");
  await settled();
  expect([calls, executor.counts.delivered, executor.counts.closed]).toEqual([[], 0, 1]);
  expect(run.trajectory()).toMatchObject([{ toolName: "slow", status: "unknown" }]);
});

test("OWN-01: a call that was cancelled before it came starts nothing", async () => {
  const { run, executor } = ownedHost();
  expect(summary(await run.exec({ code: "main" }, { signal: AbortSignal.abort() }))).toEqual(
    aborted("the call was cancelled"),
  );
  expect(executor.counts.opened).toBe(0);
});

test("OWN-05: a cancelled call settles only when its worker can have no further effect", async () => {
  const { run, executor } = ownedHost();
  const closed = deferred<undefined>();
  executor.closeGate = closed.promise;
  const controller = new AbortController();
  let isSettled = false;
  const exec = run.exec({ code: "main" }, { signal: controller.signal });
  void exec.then(() => (isSettled = true));
  await settled();
  controller.abort();
  await settled();
  expect(isSettled).toBe(false);
  closed.resolve(undefined);
  expect(summary(await exec)).toEqual(aborted("the call was cancelled"));
});

test("OWN-01, WAIT-11: closing the run ends a parked cell although nobody waits", async () => {
  const { run, host, parked, signals, events } = ownedHost();
  const runId = await parked();
  await run.close();
  expect(signals[0]?.aborted).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "cell-end", status: "failed", code: "aborted" });
  await expect(run.wait({ runId })).rejects.toMatchObject({ code: "closed", details: { what: "run" } });
  const other = host.openRun({ scope: { agentRunId: "agent-1", sessionId: "session-1" }, tools: [] });
  expect(await other.wait({ runId })).toMatchObject({ error: "code mode run is unavailable or expired." });
});

test("OWN-04: a wait that observes the teardown fails as aborted with the final telemetry", async () => {
  const { run, parked, clock } = ownedHost();
  const runId = await parked();
  const wait = run.wait({ runId });
  await clock.advance(1);
  await run.close("the turn is over");
  const result = await wait;
  expect(summary(result)).toEqual(aborted("the turn is over"));
  expect(result.telemetry).toMatchObject({ callCount: 1, waitCount: 1 });
});

test("OWN-03: closing at any moment of a resume ends the cell and leaves nothing behind", async () => {
  const seen = new Set<string>();
  for (let moment = 0; moment < 60; moment++) {
    const { run, host, executor, gate, parked, clock } = ownedHost();
    const runId = await parked();
    gate.resolve("now");
    const wait = run.wait({ runId });
    for (let turn = 0; turn < moment; turn++) {
      if (moment < 30) await Promise.resolve();
      else if (turn < moment - 30) await new Promise((resolve) => setImmediate(resolve));
    }
    await host.close();
    const result = await wait;
    seen.add(result.status);
    if (result.status !== "completed") expect(summary(result)).toEqual(aborted("the host was closed"));
    expect([executor.counts.closed, clock.armed()]).toEqual([executor.counts.opened, 0]);
  }
  expect([...seen]).toEqual(["failed", "completed"]);
});

test("OWN-01: cancelling at any moment of a park either ends the cell or finds the call finished", async () => {
  const seen = new Set<string>();
  for (let moment = 0; moment < 40; moment++) {
    const { run, host, executor, signals, clock } = ownedHost();
    const controller = new AbortController();
    const exec = run.exec({ code: "main" }, { signal: controller.signal });
    await clock.advance(749);
    const advanced = clock.advance(1);
    for (let turn = 0; turn < moment; turn++) await (moment % 2 === 0 ? Promise.resolve() : new Promise(setImmediate));
    controller.abort();
    const result = await exec;
    await advanced;
    seen.add(result.status);
    if (result.status === "waiting") expect(signals[0]?.aborted).toBe(false);
    else expect(summary(result)).toEqual(aborted("the call was cancelled"));
    await host.close();
    expect([executor.counts.closed, clock.armed(), signals[0]?.aborted]).toEqual([executor.counts.opened, 0, true]);
  }
  expect([...seen]).toEqual(["failed", "waiting"]);
});

test("OWN-03: the signal of a finished call has no power over a later wait", async () => {
  const { run, clock, gate } = ownedHost();
  const controller = new AbortController();
  const exec = run.exec({ code: "main" }, { signal: controller.signal });
  await clock.advance(750);
  const { runId } = (await exec) as { runId: string };
  controller.abort();
  gate.resolve("kept");
  expect(await run.wait({ runId })).toMatchObject({ status: "completed", value: "kept" });
});

test("OWN-01: aborting a wait ends the parked cell for good", async () => {
  const { run, parked, clock, signals } = ownedHost();
  const runId = await parked();
  const controller = new AbortController();
  const wait = run.wait({ runId }, { signal: controller.signal });
  await clock.advance(1);
  controller.abort();
  expect(summary(await wait)).toEqual(aborted("the call was cancelled"));
  expect(signals[0]?.aborted).toBe(true);
  expect(await run.wait({ runId })).toMatchObject({ error: "code mode run is unavailable or expired." });
});

test("OWN-01: the run's own signal ends its cells", async () => {
  const controller = new AbortController();
  const { run, clock } = createTestHost({
    programs: { main: (guest) => guest.call("slow") },
    run: { tools: [tool("slow", () => deferred().promise)], signal: controller.signal },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(1);
  controller.abort();
  expect(summary(await exec)).toEqual(aborted("the run was cancelled"));
  await expect(run.exec({ code: "main" })).rejects.toMatchObject({ code: "closed" });
});

test("WAIT-14: closing a session ends its cells, parked and live, and no others", async () => {
  const { host, run, parked, clock, executor } = ownedHost();
  const other = host.openRun({ scope: { agentRunId: "agent-2", sessionId: "session-2" }, tools: [] });
  const runId = await parked();
  const paused = (await run.exec({ code: "pause" })) as { runId: string };
  const wait = run.wait({ runId: paused.runId });
  await clock.advance(1);
  await host.closeSession("session-2");
  await host.closeSession("session-1");
  expect(summary(await wait)).toEqual(aborted("the session was closed"));
  expect(await run.wait({ runId })).toMatchObject({ error: "code mode run is unavailable or expired." });
  expect(executor.counts.closed).toBe(executor.counts.opened);
  expect(other.stats().codeModeEngaged).toBe(true);
});

test("CALL-03: a terminal outcome that comes while the run is parked is told by the next wait", async () => {
  const gate = deferred();
  const stop = { ...tool("stop", () => null), execute: () => gate.promise as never };
  const { run, clock, executor } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: { main: (guest) => guest.call("stop") },
    run: { tools: [stop] },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(750);
  const { runId } = (await exec) as { runId: string };
  gate.resolve({ details: null, terminal: true });
  await settled();
  expect(summary(await run.wait({ runId }))).toEqual({
    status: "failed",
    error: "stop ended the cell: null",
    failurePhase: "bridge",
  });
  expect(executor.counts.resumed).toBe(0);
});

test("OWN-06: closing the host ends all runs and refuses new ones", async () => {
  const { host, run, clock } = ownedHost();
  const exec = run.exec({ code: "main" });
  await clock.advance(1);
  await host.close();
  await host.close();
  expect(summary(await exec)).toEqual(aborted("the host was closed"));
  expect(() => host.openRun({ scope: { agentRunId: "a" }, tools: [] })).toThrow("The host object is closed.");
  expect(clock.armed()).toBe(0);
});
