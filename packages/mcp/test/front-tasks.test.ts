import type { Client } from "@modelcontextprotocol/client";
import type { CodeModeEvent } from "@codemode/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpConnection } from "../src/index.js";
import { connectTwoServers, expectAllEnded, openStdioFront, resultOf } from "./front-client.js";

let connection: McpConnection;
beforeAll(async () => {
  connection = await connectTwoServers();
});
afterAll(() => connection.close());

const PATIENCE = { timeout: 15_000 };
/** Accepts every result: what is asserted is what came. */
const ANY = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
}

async function ask(client: Client, method: string, params: object = {}): Promise<Record<string, unknown>> {
  return (await client.request({ method, params: { ...params } }, ANY)) as Record<string, unknown>;
}

async function startTask(client: Client, code: string, task: object = {}, more: object = {}): Promise<Task> {
  const answer = await ask(client, "tools/call", { name: "exec", arguments: { code }, task, ...more });
  return answer["task"] as Task;
}

const statusOf = async (client: Client, { taskId }: Task): Promise<unknown> =>
  (await ask(client, "tasks/get", { taskId }))["status"];

test("E2E-03: a program called as a task answers at once, goes through its waits, and its result is the whole one", async () => {
  const { client, front, events } = await openStdioFront({ connection });
  expect(client.getServerCapabilities()).toMatchObject({
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  });
  const told: unknown[] = [];
  client.setNotificationHandler("notifications/tasks/status", { params: ANY }, (params) => void told.push(params));
  const task = await startTask(
    client,
    `text("first"); await yield_control(); text("second");
     const [late] = await Promise.all([MCP.slow.later({ key: "task" }), MCP.slow.picture({}).then(({ content }) => image(content[1]))]);
     return late.content[0].text;`,
    { ttl: 60_000 },
  );
  const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
  const shape = { taskId: task.taskId, ttl: 60_000, pollInterval: 500, createdAt: iso, lastUpdatedAt: iso };
  expect(task).toEqual({ ...shape, status: "working" });
  expect(task.taskId).toMatch(/^[0-9a-f-]{36}$/);
  const result = ask(client, "tasks/result", { taskId: task.taskId });
  await expect
    .poll(() => ask(client, "tasks/get", { taskId: task.taskId }), PATIENCE)
    .toEqual({ ...shape, status: "working", statusMessage: "1 call done, 1 under way: MCP.slow.later" });
  await client.callTool({ name: "exec", arguments: { code: 'await MCP.slow.release({ key: "task" })' } });
  const answer = await result;
  expect(resultOf(answer)).toEqual({
    status: "completed",
    value: "late task",
    output: [
      { type: "text", text: "first" },
      { type: "text", text: "second" },
      { type: "image", mimeType: "image/png", bytes: 20, shownAs: "content[1]" },
    ],
  });
  expect(answer).toEqual({
    content: [expect.anything(), { type: "image", data: "bm90IHJlYWxseSBhIHBpY3R1cmU=", mimeType: "image/png" }],
    structuredContent: resultOf(answer),
    _meta: {
      "codemode/telemetry": expect.anything() as unknown,
      "codemode/replaySafe": false,
      "io.modelcontextprotocol/related-task": { taskId: task.taskId },
    },
  });
  expect(await ask(client, "tasks/result", { taskId: task.taskId })).toEqual(answer);
  const last = { ...shape, status: "completed" };
  expect(await ask(client, "tasks/list")).toEqual({ tasks: [last] });
  expect(told).toEqual([last]);
  expect(events.filter(({ type }) => type === "tool-call")).toMatchObject([
    { tool: "exec", status: "completed" },
    { tool: "exec", status: "completed" },
  ]);
  await front.close();
});

test("E2E-03: a failed program is a failed task with the error, and its result is the failed result", async () => {
  const { client, front } = await openStdioFront({ connection });
  const task = await startTask(client, 'throw new TypeError("no such luck")');
  const answer = await ask(client, "tasks/result", { taskId: task.taskId });
  expect(answer).toMatchObject({ isError: true });
  expect(resultOf(answer)).toMatchObject({ status: "failed", error: "TypeError: no such luck" });
  expect(await ask(client, "tasks/get", { taskId: task.taskId })).toMatchObject({
    status: "failed",
    statusMessage: "TypeError: no such luck",
  });
  await front.close();
});

test.each([
  ["waits for a server", "await MCP.slow.never({})"],
  ["hands control back again and again", "MCP.slow.never({}); for (;;) await yield_control()"],
  ["computes", "MCP.slow.never({}); await sleep(1); for (;;) {}"],
])("E2E-03: tasks/cancel ends a program that %s, and the server behind is told", async (_, code) => {
  const inside: CodeModeEvent[] = [];
  const codeMode = { onEvent: (event: CodeModeEvent) => void inside.push(event) };
  const { client, front } = await openStdioFront({ connection, codeMode });
  const before = JSON.parse(
    String(resultOf(await client.callTool({ name: "exec", arguments: { code: CANCELLED } }))["value"]),
  ) as unknown[];
  const task = await startTask(client, code.replace("await sleep(1)", "await MCP.changing.tell({})"));
  await expect
    .poll(async () => (await ask(client, "tasks/get", { taskId: task.taskId }))["statusMessage"], PATIENCE)
    .toContain("MCP.slow.never");
  expect(await ask(client, "tasks/cancel", { taskId: task.taskId })).toMatchObject({
    status: "cancelled",
    statusMessage: "cancelled by the client",
  });
  const answer = await ask(client, "tasks/result", { taskId: task.taskId });
  expect(resultOf(answer)).toMatchObject({ status: "failed", code: "aborted" });
  expect(await statusOf(client, task)).toBe("cancelled");
  await expect(ask(client, "tasks/cancel", { taskId: task.taskId })).rejects.toThrow(
    "The task has ended (cancelled); it cannot be cancelled.",
  );
  const seen = async (): Promise<unknown> =>
    JSON.parse(String(resultOf(await client.callTool({ name: "exec", arguments: { code: CANCELLED } }))["value"]));
  await expect.poll(seen, PATIENCE).toHaveLength(before.length + 1);
  await front.close();
  expectAllEnded(inside, { cells: inside.filter(({ type }) => type === "cell-start").length });
});

const CANCELLED = "(await MCP.slow.cancelled({})).content[0].text";

test("E2E-03: a program that hands control back without end keeps no thread busy", async () => {
  const inside: CodeModeEvent[] = [];
  const codeMode = { onEvent: (event: CodeModeEvent) => void inside.push(event) };
  const { client, front } = await openStdioFront({ connection, codeMode });
  await startTask(client, "for (;;) await yield_control()");
  await expect.poll(() => inside.some(({ type }) => type === "cell-resume"), PATIENCE).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  // Six by then, of pauses from 20 ms to 640 ms; without them some hundreds.
  expect(inside.filter(({ type }) => type === "cell-resume").length).toBeLessThan(50);
  await front.close();
  expectAllEnded(inside, { cells: 1 });
});

test("E2E-03: progress of a task goes on after its answer, and names the task", async () => {
  const { client, front } = await openStdioFront({ connection });
  const told: unknown[] = [];
  client.setNotificationHandler("notifications/progress", { params: ANY }, (params) => void told.push(params));
  const task = await startTask(client, "await MCP.slow.measured({})", {}, { _meta: { progressToken: "p1" } });
  const text = "0 calls done, 1 under way: MCP.slow.measured (40 of 100, scan ning)";
  await expect
    .poll(() => told.at(-1), PATIENCE)
    .toEqual({
      progressToken: "p1",
      progress: expect.any(Number) as unknown,
      message: text,
      _meta: { "io.modelcontextprotocol/related-task": { taskId: task.taskId } },
    });
  expect(await ask(client, "tasks/get", { taskId: task.taskId })).toMatchObject({ statusMessage: text });
  await front.close();
});

test("E2E-03: what is no request about a task of this client is refused with the protocol's codes", async () => {
  const [one, two] = [await openStdioFront({ connection }), await openStdioFront({ connection })];
  const { client } = one;
  const task = await startTask(client, "return 1");
  await ask(client, "tasks/result", { taskId: task.taskId });
  const code = async (asking: Promise<unknown>): Promise<unknown> =>
    asking.then(
      () => "answered",
      (error: unknown) => (error as { code?: unknown }).code,
    );
  const unknown = { taskId: "00000000-0000-0000-0000-000000000000" };
  for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
    expect(await code(ask(client, method, unknown))).toBe(-32602);
    expect(await code(ask(client, method, { taskId: 7 }))).toBe(-32602);
    expect(await code(ask(client, method, { taskId: "x".repeat(100_000) }))).toBe(-32602);
    expect(await code(ask(two.client, method, { taskId: task.taskId }))).toBe(-32602);
  }
  expect(await code(ask(client, "tasks/cancel", { taskId: task.taskId }))).toBe(-32602);
  expect(await code(ask(client, "tasks/list", { cursor: "next" }))).toBe(-32602);
  expect(await ask(two.client, "tasks/list")).toEqual({ tasks: [] });
  const call = (params: object): Promise<unknown> => code(ask(client, "tools/call", params));
  expect(await call({ name: "wait", arguments: { runId: "cm_1" }, task: {} })).toBe(-32601);
  expect(await call({ name: "other", arguments: {}, task: {} })).toBe(-32602);
  expect(await call({ name: "exec", arguments: { code: "1" }, task: { ttl: "long" } })).toBe(-32602);
  await Promise.all([one.front.close(), two.front.close()]);
});

test("E2E-03: 16 tasks at one time, a further one is refused, and a client that vanishes ends all", async () => {
  const inside: CodeModeEvent[] = [];
  const codeMode = { onEvent: (event: CodeModeEvent) => void inside.push(event) };
  const { client, front, vanish } = await openStdioFront({ connection, codeMode });
  for (let count = 0; count < 16; count += 1) await startTask(client, "await MCP.slow.never({})");
  await expect(startTask(client, "return 1")).rejects.toThrow(
    "Too many tasks are under way; wait until one has ended, or cancel one.",
  );
  await expect.poll(() => inside.filter(({ type }) => type === "call-start").length, PATIENCE).toBeGreaterThan(0);
  vanish();
  await front.closed;
  expectAllEnded(inside, { cells: inside.filter(({ type }) => type === "cell-start").length });
});

test("E2E-03: 16 tasks that are parked leave room for programs that wait for the client's model", async () => {
  const { client, front } = await openStdioFront({ connection });
  const tasks = [];
  for (let count = 0; count < 16; count += 1) tasks.push(await startTask(client, "for (;;) await yield_control()"));
  const waiting = resultOf(
    await client.callTool({ name: "exec", arguments: { code: "await yield_control(); return 1" } }),
  );
  expect(waiting).toMatchObject({ status: "waiting" });
  const done = await client.callTool({ name: "wait", arguments: { runId: waiting["runId"] } });
  expect(resultOf(done)).toMatchObject({ status: "completed", value: 1 });
  for (const task of tasks) expect(await statusOf(client, task)).toBe("working");
  await front.close();
});

test("E2E-03: a client of a protocol without tasks in its core is told of none, and gets its result as ever", async () => {
  const { client, front } = await openStdioFront({ connection }, { versionNegotiation: { mode: "auto" } });
  expect(client.getServerCapabilities()).not.toHaveProperty("tasks");
  expect((await client.listTools()).tools[0]).not.toHaveProperty("execution");
  await expect(client.request({ method: "tasks/get", params: { taskId: "1" } }, ANY)).rejects.toMatchObject({
    code: -32021,
  });
  const call = { name: "exec", arguments: { code: "6 * 7" }, task: {} };
  expect(resultOf(await ask(client, "tools/call", call))).toMatchObject({ value: 42 });
  await front.close();
});
