import { expect, test } from "vitest";
import { settled } from "../test/fakes/fake-clock.js";
import { DEFAULT_LIMITS } from "@codemode/config";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";
import { enforcePayload } from "./enforce-payload.js";

const echo = tool("echo", (input) => input);

test("TELE-01: telemetry counts over the run, and names the control tools", async () => {
  const { run } = createTestHost({
    programs: {
      main: async (guest) => {
        await guest.search("echo");
        await guest.describe("echo");
        await guest.call("echo");
        await guest.call("echo");
      },
    },
    run: { tools: [echo, tool("web", () => null, { source: "client" })] },
  });
  await run.exec({ code: "main" });
  await run.wait({ runId: "cm_unknown" });
  const { telemetry } = await run.exec({ code: "main" });
  expect(telemetry).toEqual({
    catalogSize: 2,
    sources: { host: 1, client: 1 },
    counterScope: expect.any(String) as unknown,
    searchCount: 2,
    describeCount: 2,
    callCount: 4,
    waitCount: 1,
    visibleTools: ["exec", "wait"],
    timing: { guestMs: 0, toolsMs: 0, peopleMs: 0 },
  });
  expect(run.telemetry()).toEqual(telemetry);
});

test("TELE-02: the counter scope stays on append and narrowing, and changes on replacement", async () => {
  const { run } = createTestHost({ programs: { main: (guest) => guest.call("echo") }, run: { tools: [echo] } });
  await run.exec({ code: "main" });
  const first = run.telemetry();
  run.appendTools([tool("more", () => null)]);
  expect(run.telemetry()).toMatchObject({ counterScope: first.counterScope, callCount: 1, catalogSize: 2 });
  run.narrow((name) => name === "echo");
  expect(run.telemetry()).toMatchObject({ counterScope: first.counterScope, callCount: 1, catalogSize: 1 });
  run.replaceTools([echo]);
  expect(run.telemetry()).toMatchObject({ callCount: 0, catalogSize: 1 });
  expect(run.telemetry().counterScope).not.toBe(first.counterScope);
  await run.close();
  expect(run.stats().bridgeCalls).toEqual({ search: 0, describe: 0, call: 1 });
});

test("CAT-11: appended tools reach new cells; a parked cell keeps its projection", async () => {
  const { run, executor } = createTestHost({
    programs: {
      old: async (guest) => {
        await guest.yieldControl();
        return guest.search("echo");
      },
      fresh: (guest) => guest.search("echo"),
    },
    run: { tools: [echo] },
  });
  const { runId } = (await run.exec({ code: "old" })) as { runId: string };
  run.appendTools([tool("echo_loud", () => null)]);
  expect(await run.wait({ runId })).toMatchObject({ value: ["echo"] });
  expect(await run.exec({ code: "fresh" })).toMatchObject({ value: ["echo", "echo_loud"] });
  const [first, , second] = executor.starts as { surface?: { fingerprint: string } }[];
  expect(first?.surface?.fingerprint).not.toBe(second?.surface?.fingerprint);
});

test("equal surfaces have equal fingerprints", async () => {
  const print = async (): Promise<string> => {
    const { run, executor } = createTestHost({ programs: { main: () => 1 }, run: { tools: [echo] } });
    await run.exec({ code: "main" });
    return (executor.starts[0] as { surface: { fingerprint: string } }).surface.fingerprint;
  };
  expect(await print()).toBe(await print());
});

test("TELE-03: stats count turns and cost, and omit an unknown price", async () => {
  const { run } = createTestHost({});
  run.recordTurn();
  expect(run.stats()).toEqual({
    codeModeEngaged: true,
    assistantTurns: 1,
    bridgeCalls: { search: 0, describe: 0, call: 0 },
  });
  run.recordTurn({ costUsd: 0.25 });
  run.recordTurn({ costUsd: 0.5 });
  expect(run.stats()).toMatchObject({ assistantTurns: 3, costUsd: 0.75 });
});

test("the trajectory lists nested calls under the call that dispatched them", async () => {
  const fail = tool("fail", () => {
    throw new RangeError("no");
  });
  const { run } = createTestHost({
    programs: {
      main: async (guest) => {
        await guest.call("echo");
        await guest.call("fail").catch(() => {});
      },
    },
    run: { tools: [echo, fail] },
  });
  await run.exec({ code: "main" }, { toolCallId: "model-call-1" });
  expect(run.trajectory()).toEqual([
    {
      id: expect.any(String) as unknown,
      parentId: "model-call-1",
      toolName: "echo",
      callableName: "echo",
      source: "host",
      status: "completed",
      startedAtMs: expect.any(Number) as unknown,
      durationMs: 0,
    },
    expect.objectContaining({ toolName: "fail", status: "failed", error: "RangeError: no" }) as unknown,
  ]);
});

test("CAT-10: direct-only tools are the model's, and run through hooks and approvals", async () => {
  const camera = tool("camera", ({ zoom }: { zoom: number }) => ({ zoom }), { directOnly: true });
  const approved: string[] = [];
  const { run } = createTestHost({
    programs: { main: () => "cell" },
    run: {
      tools: [echo, camera],
      approve: async (call) => {
        approved.push(call.toolName);
        return "allow";
      },
    },
  });
  expect(run.modelTools.map(({ name }) => name)).toEqual(["exec", "wait", "camera"]);
  expect(await run.handleToolCall("camera", { zoom: 2 }, { toolCallId: "c1" })).toEqual({ details: { zoom: 2 } });
  expect(approved).toEqual(["camera"]);
  expect(await run.handleToolCall("exec", { code: "main" })).toMatchObject({ status: "completed", value: "cell" });
  expect(await run.handleToolCall("wait", { runId: "cm_x" })).toMatchObject({ status: "failed" });
  await expect(run.handleToolCall("echo", {})).rejects.toMatchObject({ code: "invalid_argument" });
});

test("a run that is not engaged gives the model its tools themselves", async () => {
  const { run, executor } = createTestHost({
    run: {
      tools: [echo],
      activation: { engaged: false, reason: "off", source: "default", limits: DEFAULT_LIMITS },
    },
  });
  expect(run.modelTools.map(({ name }) => name)).toEqual(["echo"]);
  expect(await run.handleToolCall("echo", { a: 1 })).toEqual({ details: { a: 1 } });
  await expect(run.exec({ code: "main" })).rejects.toMatchObject({ code: "invalid_argument" });
  expect([run.stats().codeModeEngaged, executor.counts.opened]).toEqual([false, 0]);
  enforcePayload({ tools: [{ name: "anything" }] }, run);
});

test("OUTC-04: sequential tools never overlap with other calls, across cells of the run", async () => {
  const log: string[] = [];
  const gates = { read: deferred(), write: deferred() };
  const work = (name: "read" | "write") =>
    tool(
      name,
      async () => {
        log.push(`+${name}`);
        await gates[name].promise;
        log.push(`-${name}`);
      },
      name === "write" ? { executionMode: "sequential" } : {},
    );
  const { run } = createTestHost({
    programs: { read: (guest) => guest.call("read"), write: (guest) => guest.call("write") },
    run: { tools: [work("read"), work("write")] },
  });
  const cells = [run.exec({ code: "read" }), run.exec({ code: "write" }), run.exec({ code: "read" })];
  await settled();
  gates.read.resolve(null);
  await settled();
  gates.write.resolve(null);
  await Promise.all(cells);
  expect(log).toEqual(["+read", "-read", "+write", "-write", "+read", "-read"]);
});
