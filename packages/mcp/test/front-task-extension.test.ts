import { setTimeout as delay } from "node:timers/promises";
import type { Client, JSONRPCMessage } from "@modelcontextprotocol/client";
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  type TaskEnabledSession,
  type WithTasksOptions,
} from "@modelcontextprotocol/ext-tasks/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpConnection, McpFrontEvent } from "../src/index.js";
import { connectFixture } from "./connect-fixture.js";
import { connectTwoServers, openStdioFront, resultOf } from "./front-client.js";

let connection: McpConnection;
beforeAll(async () => {
  connection = await connectTwoServers();
});
afterAll(() => connection.close());

const EXTENSION = "io.modelcontextprotocol/tasks";
const PATIENCE = { timeout: 15_000 };

interface TaskClient {
  readonly client: Client;
  /** The official requester of tasks, on top of the official client. */
  readonly session: TaskEnabledSession;
  /** One request as it stands, with the capabilities of its client. */
  ask(method: string, params: object, extensions?: object): Promise<unknown>;
  readonly events: readonly McpFrontEvent[];
  end(): Promise<void>;
}

interface TaskClientOptions {
  readonly servers?: McpConnection;
  /** What the client announces beside the extension. */
  readonly capabilities?: { readonly elicitation?: Readonly<Record<string, Record<string, never>>> };
  /** Answers the questions of the official requester's tasks. */
  readonly onInputRequest?: WithTasksOptions["onInputRequest"];
}

async function openTaskClient(options: TaskClientOptions = {}): Promise<TaskClient> {
  const { servers = connection, capabilities = {}, onInputRequest } = options;
  const { client, front, events } = await openStdioFront(
    { connection: servers },
    { versionNegotiation: { mode: "auto" } },
  );
  const rawDispatch = dispatchOver(client);
  const framing = (extensions: object) => ({
    protocolVersion: "2026-07-28",
    clientInfo: { name: "tester", version: "1.0.0" },
    clientCapabilities: { ...capabilities, extensions: { ...extensions } },
  });
  const session = createTaskSessionFromClient(client, {
    endpointId: "front",
    rawDispatch,
    v2RequestFraming: framing({ [EXTENSION]: {} }),
    ...(onInputRequest === undefined ? {} : { onInputRequest }),
  });
  return {
    client,
    session,
    events,
    async ask(method, params, extensions = { [EXTENSION]: {} }) {
      const { protocolVersion, clientInfo, clientCapabilities } = framing(extensions);
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": protocolVersion,
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
      };
      const response = await rawDispatch({ method, params: { ...params, _meta } });
      return response.kind === "result" ? response.result : response.error;
    },
    async end() {
      await session.close();
      await front.close();
    },
  };
}

/** Sends requests of its own between those of the client, whose library knows no results of extensions. */
function dispatchOver({ transport }: Client): RawClientDispatch {
  if (transport === undefined) throw new Error("The client is not connected.");
  const open = new Map<string, (message: { result?: never; error?: never }) => void>();
  const forClient = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const id = "id" in message ? String(message.id) : "";
    const settle = open.get(id);
    open.delete(id);
    if (settle === undefined) forClient?.(message, extra);
    else settle(message as { result?: never; error?: never });
  };
  let sent = 0;
  return (request) =>
    new Promise((resolve, reject) => {
      const id = `raw-${(sent += 1)}`;
      open.set(id, ({ result, error }) =>
        resolve(error === undefined ? { kind: "result", result: result as never } : { kind: "error", error }),
      );
      transport.send({ jsonrpc: "2.0", id, ...(request as object) } as JSONRPCMessage).catch(reject);
    });
}

const exec = (code: string) => ({ name: "exec", arguments: { code } });

test("E2E-03: a program that ends in time is no task for a client that takes tasks", async () => {
  const { session, end } = await openTaskClient();
  const execution = await session.callTool("exec", { code: "return 1 + 1" });
  const { outcome, lastTask } = await execution.settle();
  expect(lastTask).toBeUndefined();
  expect(outcome.status === "completed" && resultOf(outcome.result)).toMatchObject({ status: "completed", value: 2 });
  await end();
});

test("E2E-03: a program that waits becomes a task, whose result is that of the whole program", async () => {
  const { client, ask, events, end } = await openTaskClient();
  const created = (await ask(
    "tools/call",
    exec(`text("first"); await yield_control(); text("second");
    const [late] = await Promise.all([MCP.slow.later({ key: "extension" }), MCP.slow.picture({}).then(({ content }) => image(content[1]))]);
    return late.content[0].text;`),
  )) as { taskId: string };
  const { taskId } = created;
  const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
  const shape = { taskId, createdAt: iso, lastUpdatedAt: iso, ttlMs: 900_000, pollIntervalMs: 500 };
  expect(created).toEqual({
    ...shape,
    resultType: "task",
    status: "working",
    content: [],
    _meta: expect.anything() as unknown,
  });
  const working = { ...shape, status: "working", statusMessage: "1 call done, 1 under way: MCP.slow.later" };
  await expect.poll(() => ask("tasks/get", { taskId }), PATIENCE).toMatchObject({ ...working, resultType: "complete" });
  expect(await ask("tasks/update", { taskId, inputResponses: {} })).toMatchObject({ resultType: "complete" });
  await client.callTool(exec('await MCP.slow.release({ key: "extension" })'));
  await expect
    .poll(async () => ((await ask("tasks/get", { taskId })) as { status: string }).status, PATIENCE)
    .toBe("completed");
  const { result, ...task } = (await ask("tasks/get", { taskId })) as { result: unknown };
  expect(task).toMatchObject({ ...shape, status: "completed", resultType: "complete" });
  expect(result).toMatchObject({ resultType: "complete" });
  expect(resultOf(result)).toEqual({
    status: "completed",
    value: "late extension",
    output: [
      { type: "text", text: "first" },
      { type: "text", text: "second" },
      { type: "image", mimeType: "image/png", bytes: 20, shownAs: "content[1]" },
    ],
  });
  const told = events.flatMap((event) => (event.type === "tool-call" ? [`${event.tool} ${event.status}`] : []));
  expect(told).toEqual(["exec completed", "exec completed"]);
  await end();
});

test("E2E-03: the official requester follows a task to its end, and cancels one", async () => {
  const { session, client, end } = await openTaskClient();
  const failing = await session.callTool("exec", {
    code: 'await yield_control(); throw new TypeError("no such luck")',
  });
  const failed = await failing.settle();
  expect(failed.lastTask).toMatchObject({ status: "completed", statusMessage: "TypeError: no such luck" });
  expect(failed.outcome.status === "completed" && failed.outcome.result).toMatchObject({ isError: true });
  const endless = await session.callTool("exec", { code: "await yield_control(); await MCP.slow.never({})" });
  const settled = endless.settle();
  await delay(200);
  await endless.cancel();
  expect((await settled).outcome.status).toBe("cancelled");
  const cancels = async (): Promise<unknown[]> =>
    JSON.parse(
      String(resultOf(await client.callTool(exec("return (await MCP.slow.cancelled({})).content[0].text")))["value"]),
    ) as unknown[];
  await expect.poll(async () => (await cancels()).length, PATIENCE).toBeGreaterThan(0);
  await end();
});

test("E2E-03: a client that does not announce the extension waits itself, and is told what its requests lack", async () => {
  const { client, ask, end } = await openTaskClient();
  const waiting = resultOf(await client.callTool(exec("await yield_control(); return 1")));
  expect(waiting).toMatchObject({ status: "waiting" });
  const lacking = { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } };
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    expect(await ask(method, { taskId: "x", inputResponses: {} }, {})).toMatchObject(lacking);
    expect(await ask(method, { taskId: "x", inputResponses: {} })).toMatchObject({
      code: -32602,
      message: "There is no task of that id, or its time to live is over.",
    });
    expect(await ask(method, { taskId: 7 })).toMatchObject({ code: -32602 });
  }
  await end();
});

const ASK = "JSON.parse((await MCP.fixture.ask({})).content[0].text)";
const FORMS = { elicitation: { form: {} } };
const FORM = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const input = (message = "MCP.fixture.ask asks: How many?") => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: FORM },
});

/** A client of its own server: it remembers calls that were aborted. */
async function openAskedClient(options: Omit<TaskClientOptions, "servers"> = {}): Promise<TaskClient> {
  const servers = await connectFixture("asks.mjs", {}, { elicitation: true });
  const opened = await openTaskClient({ servers, capabilities: FORMS, ...options });
  return {
    ...opened,
    async end() {
      await opened.end();
      await servers.close();
    },
  };
}

interface TaskView {
  readonly taskId: string;
  readonly status: string;
  readonly inputRequests?: Record<string, unknown>;
  readonly result?: unknown;
}

/** The task once it says so. */
async function whenTask(ask: TaskClient["ask"], taskId: string, status: string): Promise<TaskView> {
  let task: TaskView | undefined;
  await expect
    .poll(async () => (task = (await ask("tasks/get", { taskId })) as TaskView).status, PATIENCE)
    .toBe(status);
  return task as TaskView;
}

test.each([
  ["before it waits", ASK],
  ["after it waited", `await yield_control(); return ${ASK}`],
])("MCP-14, E2E-03: the official requester answers what a program asks %s, and gets its result", async (_, code) => {
  const asked: unknown[] = [];
  const { session, events, end } = await openAskedClient({
    onInputRequest: async (request, { scope, delivery }) => {
      asked.push({ ...request, scope, delivery });
      return { action: "accept", content: { n: 7 } } as never;
    },
  });
  const execution = await session.callTool("exec", { code });
  const { outcome, lastTask } = await execution.settle();
  expect(lastTask).toMatchObject({ status: "completed" });
  expect(outcome.status === "completed" && resultOf(outcome.result)).toEqual({
    status: "completed",
    value: [{ action: "accept", content: { n: 7 } }],
  });
  expect(asked).toEqual([{ kind: "elicitation", params: input().params, scope: "task", delivery: "task-update" }]);
  expect(events.filter(({ type }) => type === "question" || type === "tool-call")).toMatchObject([
    { type: "question", name: "MCP.fixture.ask", answer: "accept" },
    { type: "tool-call", tool: "exec", status: "completed" },
  ]);
  await end();
});

test("MCP-14, E2E-03: a program that asks becomes a task, which shows each question under a key of its own until it is answered", async () => {
  const { ask, end } = await openAskedClient();
  const twice = "JSON.parse((await MCP.fixture.ask({ count: 2 })).content[0].text)";
  const created = (await ask("tools/call", exec(`return [${twice}, ${ASK}]`))) as TaskView;
  expect(created).toMatchObject({ resultType: "task", status: "working" });
  const { taskId } = created;
  const update = (inputResponses: object): Promise<unknown> => ask("tasks/update", { taskId, inputResponses });
  await expect
    .poll(() => ask("tasks/get", { taskId }), PATIENCE)
    .toMatchObject({
      status: "input_required",
      statusMessage: "0 calls done, 1 under way: MCP.fixture.ask",
      inputRequests: { "question-1": input(), "question-2": input() },
    });
  const accept = { action: "accept", content: { n: 1 } };
  // What is unknown or no answer changes nothing, and part of the answers is taken.
  await update({ other: accept, "question-1": { action: "allow" }, "question-2": accept });
  expect((await whenTask(ask, taskId, "input_required")).inputRequests).toEqual({ "question-1": input() });
  await update({ "question-1": { action: "decline" }, "question-2": { action: "cancel" } });
  const third = { "question-3": input() };
  await expect.poll(() => ask("tasks/get", { taskId }), PATIENCE).toMatchObject({ inputRequests: third });
  await update({ "question-1": accept, "question-3": { action: "accept", content: { n: "seven" } } });
  const { result, ...task } = await whenTask(ask, taskId, "completed");
  expect(task).not.toHaveProperty("inputRequests");
  const answers = resultOf(result)["value"] as [{ action: string }[], unknown];
  expect(answers[0].map(({ action }) => action).sort()).toEqual(["accept", "decline"]);
  // An answer that does not fit its form is handed to no server.
  expect(answers[1]).toEqual([{ action: "cancel" }]);
  await end();
});

test("MCP-14, E2E-03: a task that is cancelled while it asks shows no question any more", async () => {
  const { ask, events, end } = await openAskedClient();
  const { taskId } = (await ask("tools/call", exec(ASK))) as TaskView;
  await whenTask(ask, taskId, "input_required");
  expect(await ask("tasks/cancel", { taskId })).toMatchObject({ resultType: "complete" });
  expect(await ask("tasks/get", { taskId })).not.toHaveProperty("inputRequests");
  expect(await ask("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
  const isOver = (): boolean => events.some((event) => event.type === "tool-call" && event.code === "aborted");
  await expect.poll(isOver, PATIENCE).toBe(true);
  await end();
});

test("MCP-14, E2E-03: a client that names no kind of question is asked forms, for requests for prompts as well", async () => {
  const { ask, end } = await openAskedClient({ capabilities: { elicitation: {} } });
  const { taskId } = (await ask("tools/call", exec("await MCP.fixture.prompts.list().catch(() => 1)"))) as TaskView;
  const { inputRequests } = await whenTask(ask, taskId, "input_required");
  expect(inputRequests).toEqual({ "question-1": input("MCP.fixture.prompts.list asks: How many?") });
  await ask("tasks/update", { taskId, inputResponses: { "question-1": { action: "decline" } } });
  expect(resultOf((await whenTask(ask, taskId, "completed")).result)).toEqual({ status: "completed", value: 1 });
  await end();
});

test.each<[string, TaskClientOptions["capabilities"], object]>([
  ["that takes no questions", {}, { [EXTENSION]: {} }],
  ["that takes questions by URL only", { elicitation: { url: {} } }, { [EXTENSION]: {} }],
  ["that takes no tasks", FORMS, {}],
])(
  "MCP-14, E2E-03: a client of 2026-07-28 %s is asked nothing, and gets the result",
  async (_, capabilities, extensions) => {
    const { ask, events, end } = await openAskedClient({ capabilities: capabilities ?? {} });
    const result = await ask("tools/call", exec(ASK), extensions);
    expect(resultOf(result)).toEqual({ status: "completed", value: [{ action: "cancel" }] });
    expect(events.some(({ type }) => type === "question")).toBe(false);
    await end();
  },
);
