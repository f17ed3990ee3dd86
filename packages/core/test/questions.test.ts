import { expect, test } from "vitest";
import type { ApprovalGate, ElicitationAnswer, ElicitationQuestion } from "@codemode/protocol";
import type { FakeProgram } from "./fakes/fake-guest.js";
import { createTestHost, tool, type TestHostOptions } from "./fakes/test-host.js";

const HOUR_MS = 3_600_000;
/** What is left of a budget of 1,000 ms until a cell that waits is parked. */
const UNTIL_MARGIN_MS = 750;

const question: ElicitationQuestion = {
  mode: "form",
  message: "How many?",
  requestedSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};

/** A host with a tool `order` that asks; the person answers after `afterMs`. `slow` takes 100 ms, `hang` never ends. */
function askingHost(main: FakeProgram, afterMs: number, more: TestHostOptions = {}) {
  const signals: AbortSignal[] = [];
  const answers: (ElicitationAnswer | undefined)[] = [];
  const takeBack = new AbortController();
  const later = (ms: number): Promise<void> => new Promise((resolve) => made.clock.schedule(resolve, ms));
  const approve: ApprovalGate = async (_call, { signal, question: asked }) => {
    if (asked === undefined) return "allow";
    signals.push(signal);
    await later(afterMs);
    return { answer: { n: 7 } };
  };
  const tools = [
    tool("order", async (_input, { elicit }) => {
      const answer = await elicit?.(question, { signal: takeBack.signal });
      answers.push(answer);
      return answer;
    }),
    tool("slow", () => later(100)),
    tool("hang", () => new Promise(() => {})),
  ];
  const made = createTestHost({
    config: { timeoutMs: 1_000, snapshotTtlSeconds: 86_400 },
    programs: { main },
    ...more,
    run: { tools, approve, ...more.run },
  });
  return { ...made, tools, approve, signals, answers, takeBack };
}

const ACCEPTED = { action: "accept", content: { n: 7 } };

test("MCP-14, APPR-01: while a person answers a question the budget stands still, and exactly the unused part remains", async () => {
  const host = askingHost(async (guest) => {
    await guest.call("slow");
    guest.text(JSON.stringify(await guest.call("order")));
    return guest.call("hang");
  }, HOUR_MS);
  const exec = host.run.exec({ code: "main" });
  let isOver = false;
  void exec.then(() => (isOver = true));
  await host.clock.advance(HOUR_MS + UNTIL_MARGIN_MS - 1);
  expect(isOver).toBe(false);
  await host.clock.advance(1);
  expect(await exec).toMatchObject({
    status: "waiting",
    pendingToolCalls: [{ name: "hang" }],
    output: [{ type: "text", text: JSON.stringify(ACCEPTED) }],
    telemetry: { timing: { guestMs: 0, toolsMs: UNTIL_MARGIN_MS, peopleMs: HOUR_MS } },
  });
});

test("MCP-14, APPR-03: a question of a parked cell stops the budget of the next wait", async () => {
  const host = askingHost(async (guest) => {
    const order = guest.call("order");
    await guest.yieldControl();
    return order;
  }, HOUR_MS);
  const exec = host.run.exec({ code: "main" });
  await host.clock.advance(60_000);
  const { runId } = (await exec) as { runId: string };
  const wait = host.run.wait({ runId });
  await host.clock.advance(HOUR_MS - 60_000);
  expect(await wait).toMatchObject({
    status: "completed",
    value: ACCEPTED,
    telemetry: { timing: { peopleMs: HOUR_MS - 60_000 } },
  });
});

test("MCP-14: a script's time stands still while a person answers", async () => {
  const host = askingHost((guest) => guest.call("order"), HOUR_MS);
  const script = host.host.runScript("main", {
    scope: { agentRunId: "cron-1" },
    tools: host.tools,
    approve: host.approve,
    maxDurationMs: 1_000,
  });
  await host.clock.advance(HOUR_MS);
  expect(await script).toMatchObject({ status: "completed", value: ACCEPTED });
});

test("MCP-14: the run budget of the host stands still with a question", async () => {
  const log: string[] = [];
  const budget = {
    suspend: () => void log.push(`suspend ${host.clock.now() - 1_000}`),
    resume: () => void log.push(`resume ${host.clock.now() - 1_000}`),
  };
  const main: FakeProgram = async (guest) => {
    await guest.call("slow");
    return guest.call("order");
  };
  const host = askingHost(main, 500, { run: { budget } });
  const exec = host.run.exec({ code: "main" });
  await host.clock.advance(600);
  expect(await exec).toMatchObject({ status: "completed" });
  expect(log.slice(-2)).toEqual(["suspend 100", "resume 600"]);
});

test("MCP-14: a cell that is aborted while it asks ends the question, whose answer then reaches nobody", async () => {
  const host = askingHost((guest) => guest.call("order"), HOUR_MS);
  const controller = new AbortController();
  const exec = host.run.exec({ code: "main" }, { signal: controller.signal });
  await host.clock.advance(5_000);
  expect(host.signals.map(({ aborted }) => aborted)).toEqual([false]);
  controller.abort();
  expect(await exec).toMatchObject({ status: "failed", code: "aborted" });
  await host.clock.advance(HOUR_MS);
  expect(host.signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect([host.answers, host.faults, host.clock.armed()]).toEqual([[{ action: "cancel" }], [], 0]);
});

test("MCP-14: a question that its tool takes back gives the budget free, whatever the gate does", async () => {
  const host = askingHost(async (guest) => {
    guest.text(JSON.stringify(await guest.call("order")));
    return guest.call("hang");
  }, HOUR_MS);
  const exec = host.run.exec({ code: "main" });
  await host.clock.advance(5_000);
  host.takeBack.abort();
  await host.clock.advance(UNTIL_MARGIN_MS);
  expect(await exec).toMatchObject({
    status: "waiting",
    output: [{ type: "text", text: '{"action":"cancel"}' }],
    telemetry: { timing: { toolsMs: UNTIL_MARGIN_MS, peopleMs: 5_000 } },
  });
});

test("MCP-14: a run without a gate can ask nobody; with one, tools ask it whoever executes", async () => {
  const asks: unknown[] = [];
  const look = tool("look", async (_input, { elicit }) => void asks.push(await elicit?.(question)));
  const programs = { main: (guest: Parameters<FakeProgram>[0]) => guest.call("look") };
  const approve: ApprovalGate = async (_call, control) => (control.question === undefined ? "allow" : { deny: "" });
  const without = createTestHost({ programs, run: { tools: [look] } });
  await without.run.exec({ code: "main" });
  const executeTool = createTestHost({
    programs,
    run: {
      tools: [look],
      approve,
      executeTool: (call, found, context) => Promise.resolve(found.execute(call.input, context)),
    },
  });
  await executeTool.run.exec({ code: "main" });
  expect(asks).toEqual([undefined, { action: "decline" }]);
});

test("MCP-14, APPR-02: an answer is no verdict on a call, and a direct call may ask as well", async () => {
  const camera = tool("camera", async (_input, { elicit }) => elicit?.(question), { directOnly: true });
  let isEager = true;
  const approve: ApprovalGate = async (_call, { question: asked }) =>
    isEager || asked !== undefined ? { answer: { n: 1 } } : "allow";
  const { run } = createTestHost({ run: { tools: [camera], approve } });
  await expect(run.handleToolCall("camera", {})).rejects.toMatchObject({
    code: "tool_denied",
    message: 'the approval gate must give "allow" or { deny }, got an object.',
  });
  isEager = false;
  expect(await run.handleToolCall("camera", {})).toEqual({ details: { action: "accept", content: { n: 1 } } });
});
