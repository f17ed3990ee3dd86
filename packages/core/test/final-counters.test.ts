import { expect, test } from "vitest";
import { settled } from "./fakes/fake-clock.js";
import { createTestHost, deferred, tool } from "./fakes/test-host.js";

const echo = tool("echo", (input) => input);
const camera = tool("camera", () => null, { directOnly: true });

test("TELE-02: a scope is one lifetime: kept by append and narrowing, new after replacement and in another run", async () => {
  const { host, run } = createTestHost({
    programs: { main: (guest) => guest.call("echo"), parked: (guest) => guest.yieldControl() },
    run: { tools: [echo] },
  });
  const first = run.telemetry().counterScope;
  const { runId } = (await run.exec({ code: "parked" })) as { runId: string };
  run.appendTools([tool("more", () => null)]);
  run.narrow((name) => name !== "more");
  expect((await run.exec({ code: "main" })).telemetry).toMatchObject({ counterScope: first, callCount: 1 });
  run.replaceTools([echo]);
  const second = run.telemetry().counterScope;
  expect((await run.exec({ code: "main" })).telemetry).toMatchObject({ counterScope: second, callCount: 1 });
  // A cell counts where it started.
  expect((await run.wait({ runId })).telemetry).toMatchObject({ counterScope: first, callCount: 1, waitCount: 1 });
  const restored = host.openRun({ scope: { agentRunId: "agent-1", sessionId: "session-1" }, tools: [echo] });
  expect(new Set([first, second, restored.telemetry().counterScope]).size).toBe(3);
  expect(restored.telemetry().callCount).toBe(0);
});

test("TELE-02: the last counters outlive teardown and give no authority", async () => {
  let isFreed = false;
  const { run, executor } = createTestHost({
    programs: { main: (guest) => guest.call("echo"), parked: (guest) => guest.yieldControl() },
    run: { tools: [echo, camera] },
  });
  await run.exec({ code: "main" });
  const { runId } = (await run.exec({ code: "parked" })) as { runId: string };
  run.recordTurn({ costUsd: 0.5 });
  const [telemetry, stats] = [run.telemetry(), run.stats()];
  await run.close();
  run.appendTools([tool("late", () => (isFreed = true))]);
  run.replaceMcpServers([{ name: "late", tools: [], callTool: () => Promise.reject(new Error("called")) }]);
  expect(run.mcpNamespaces).toEqual([]);
  expect([run.telemetry(), run.stats()]).toEqual([telemetry, stats]);
  expect(stats).toEqual({
    codeModeEngaged: true,
    assistantTurns: 1,
    bridgeCalls: { search: 0, describe: 0, call: 1 },
    costUsd: 0.5,
  });
  const { opened } = executor.counts;
  for (const use of [
    () => run.exec({ code: "main" }),
    () => run.wait({ runId }),
    () => run.handleToolCall("camera", {}),
    () => run.handleToolCall("late", {}),
  ]) {
    await expect(use()).rejects.toMatchObject({ code: "closed" });
  }
  expect([executor.counts.opened, isFreed]).toEqual([opened, false]);
});

test("TELE-02: a wait that teardown interrupts is aborted, with the last counters", async () => {
  const gate = deferred();
  const { run, clock } = createTestHost({
    programs: { main: (guest) => guest.call("slow") },
    run: { tools: [tool("slow", () => gate.promise)] },
  });
  const exec = run.exec({ code: "main" });
  await settled();
  await clock.advance(10_000);
  const { runId } = (await exec) as { runId: string };
  const wait = run.wait({ runId });
  await settled();
  await run.close("the attempt is over");
  const result = await wait;
  expect(result).toMatchObject({
    status: "failed",
    code: "aborted",
    error: "code mode cell was aborted: the attempt is over",
    calls: [{ name: "slow", status: "unknown" }],
  });
  expect(result.telemetry).toEqual(run.telemetry());
  expect(result.telemetry).toMatchObject({ callCount: 1, waitCount: 1 });
});

test("TELE-03: a turn's price is a finite number from 0, or the turn is not counted", () => {
  const { run } = createTestHost({});
  for (const costUsd of [Number.NaN, Number.POSITIVE_INFINITY, -1, "1"]) {
    expect(() => run.recordTurn({ costUsd: costUsd as number })).toThrow(
      "usage.costUsd: must be a finite number from 0",
    );
  }
  run.recordTurn({});
  run.recordTurn({ costUsd: 0 });
  expect(run.stats()).toMatchObject({ assistantTurns: 2, costUsd: 0 });
});
