import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type ElicitResult,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveMcp, type McpConnection, type McpFrontEvent } from "../src/index.js";
import { connectFixture } from "./connect-fixture.js";
import { openStdioFront, PATIENT, resultOf } from "./front-client.js";

/** What a test opened is closed after it. A server is no other test's: it remembers calls that were aborted. */
let connection: McpConnection;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  connection = await connectFixture("asks.mjs", {}, { elicitation: true });
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await connection.close();
});

const PATIENCE = { timeout: 15_000 };
const exec = (code: string) => ({ name: "exec", arguments: { code } });
const ASK = "JSON.parse((await MCP.fixture.ask({})).content[0].text)";
const FORMS: ClientOptions = { capabilities: { elicitation: { form: {} } } };
const ACCEPTED: ElicitResult = { action: "accept", content: { n: 7 } };

/** Answers the questions a client gets; gives what it was asked. */
function answering(client: Client, answer: () => ElicitResult | Promise<ElicitResult>): unknown[] {
  const asked: unknown[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params);
    return answer();
  });
  return asked;
}

const question = (answer: string): unknown => ({
  type: "question",
  session: 1,
  name: "MCP.fixture.ask",
  answer,
  durationMs: expect.any(Number) as unknown,
});

test.each<[ElicitResult, ElicitResult]>([
  [ACCEPTED, ACCEPTED],
  [{ action: "decline" }, { action: "decline" }],
  [{ action: "cancel" }, { action: "cancel" }],
])("MCP-14: a question of a server behind goes to the client, which answers %j", async (given, got) => {
  const { client, front, events } = await openStdioFront({ connection }, FORMS);
  open.push(front);
  const asked = answering(client, () => given);
  expect(resultOf(await client.callTool(exec(ASK)))).toEqual({ status: "completed", value: [got] });
  expect(asked).toEqual([
    {
      mode: "form",
      message: "MCP.fixture.ask asks: How many?",
      requestedSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    },
  ]);
  expect(events.filter(({ type }) => type === "question")).toEqual([question(given.action)]);
});

test("MCP-14: an answer of the client that does not fit the question is not handed on", async () => {
  const { client, front, events } = await openStdioFront({ connection }, FORMS);
  open.push(front);
  answering(client, () => ({ action: "accept", content: { n: "hidden" } }));
  expect(resultOf(await client.callTool(exec(ASK)))).toMatchObject({ value: [{ action: "cancel" }] });
  expect(events).toContainEqual({
    type: "refused",
    reason: "an answer does not fit the question; it was not handed on",
  });
  expect(JSON.stringify(events)).not.toContain("hidden");
});

test("MCP-14: a client that cannot ask, or that fails to, cancels the question", async () => {
  const silent = await openStdioFront({ connection });
  const failing = await openStdioFront({ connection }, FORMS);
  const newest = await openStdioFront({ connection }, { ...FORMS, versionNegotiation: { mode: "auto" } });
  open.push(silent.front, failing.front, newest.front);
  const isAsked = answering(newest.client, () => ACCEPTED);
  answering(failing.client, () => Promise.reject(new Error("no window")));
  for (const { client } of [silent, failing, newest]) {
    expect(resultOf(await client.callTool(exec(ASK)))).toMatchObject({ value: [{ action: "cancel" }] });
  }
  expect(isAsked).toEqual([]);
  expect(silent.events.filter(({ type }) => type === "question")).toEqual([]);
});

test("MCP-14: a gate of the host is asked in the client's place", async () => {
  const approve = async (_call: unknown, control: { question?: unknown }) =>
    control.question === undefined ? ("allow" as const) : { answer: { n: 1 } };
  const { client, front } = await openStdioFront({ connection, approve }, FORMS);
  open.push(front);
  const asked = answering(client, () => ACCEPTED);
  expect(resultOf(await client.callTool(exec(ASK)))).toMatchObject({
    value: [{ action: "accept", content: { n: 1 } }],
  });
  expect(asked).toEqual([]);
});

test("MCP-14: a client that cancels its call while it is asked is told that the question is over", async () => {
  const { client, front } = await openStdioFront({ connection }, FORMS);
  open.push(front);
  const abort = new AbortController();
  let isOver = false;
  client.setRequestHandler("elicitation/create", async (_, { mcpReq }) => {
    mcpReq.signal.addEventListener("abort", () => (isOver = true));
    abort.abort("the user pressed stop");
    return new Promise<never>(() => {});
  });
  await expect(client.callTool(exec(ASK), { signal: abort.signal })).rejects.toThrow("the user pressed stop");
  await expect.poll(() => isOver, PATIENCE).toBe(true);
});

interface HttpFront {
  readonly events: readonly McpFrontEvent[];
  connect(transport?: StreamableHTTPClientTransportOptions): Promise<Client>;
}

async function openHttpFront(): Promise<HttpFront> {
  const events: McpFrontEvent[] = [];
  const front = await serveMcp({
    connection,
    codeMode: { config: PATIENT },
    transport: { type: "http", port: 0 },
    onEvent: (event) => events.push(event),
  });
  open.push(front);
  return {
    events,
    async connect(transport) {
      const client = new Client({ name: "tester", version: "1.0.0" }, FORMS);
      await client.connect(new StreamableHTTPClientTransport(new URL(front.url ?? ""), transport));
      open.push(client);
      return client;
    },
  };
}

test("MCP-14: over HTTP each client is asked what its own cells ask, one after the other", async () => {
  const front = await openHttpFront();
  const [first, second] = [await front.connect(), await front.connect()];
  const asked = [first, second].map((client, n) => answering(client, () => ({ action: "accept", content: { n } })));
  for (const [n, client] of [first, second].entries()) {
    expect(resultOf(await client.callTool(exec(ASK)))).toMatchObject({ value: [{ action: "accept", content: { n } }] });
  }
  expect(asked.map(({ length }) => length)).toEqual([1, 1]);
});

test("MCP-14: while two clients call a server, its question is asked of neither", async () => {
  const front = await openHttpFront();
  const [first, second] = [await front.connect(), await front.connect()];
  const asked = [first, second].map((client) => answering(client, () => ACCEPTED));
  const abort = new AbortController();
  const hanging = second.callTool(exec("await MCP.fixture.capabilities({}); await MCP.fixture.hang({})"), {
    signal: abort.signal,
    onprogress: ({ message = "" }) => {
      if (message.includes("MCP.fixture.hang")) isHanging = true;
    },
  });
  let isHanging = false;
  await expect.poll(() => isHanging, PATIENCE).toBe(true);
  expect(resultOf(await first.callTool(exec(ASK)))).toMatchObject({ value: [{ action: "cancel" }] });
  abort.abort();
  await expect(hanging).rejects.toThrow();
  expect(asked).toEqual([[], []]);
});

test("MCP-14: a question that comes between exec and wait is put to the client with the wait", async () => {
  const front = await openHttpFront();
  const client = await front.connect();
  const asked = answering(client, () => ACCEPTED);
  const code = `const answer = MCP.fixture.ask({}); await yield_control(); return ${ASK.replace("MCP.fixture.ask({})", "answer")}`;
  const { runId } = resultOf(await client.callTool(exec(code)));
  // Whether the question came before the exec was answered is the machine's affair; it is answered either way.
  const waited = resultOf(await client.callTool({ name: "wait", arguments: { runId } }));
  expect(waited).toEqual({ status: "completed", value: [ACCEPTED] });
  expect(asked).toHaveLength(1);
});

test("MCP-14: a question is not lost along with a call whose client has stopped listening", async () => {
  const front = await openHttpFront();
  const client = await front.connect({
    async fetch(url, init) {
      if (typeof init?.body !== "string" || !init.body.includes("MCP.fixture.ask")) return fetch(url, init);
      const broken = new AbortController();
      await fetch(url, { ...init, signal: broken.signal });
      broken.abort();
      throw new Error("the connection broke");
    },
  });
  const asked = answering(client, () => ACCEPTED);
  const abort = new AbortController();
  const hanging = client.callTool(exec("await MCP.fixture.hang({})"), { signal: abort.signal });
  // It asks once its stream has been over for a while, so the other call's is the only one that is heard.
  const code = `await new Promise((resolve) => setTimeout(resolve, 500)); return ${ASK}`;
  await expect(client.callTool(exec(code))).rejects.toThrow("the connection broke");
  await expect.poll(() => asked, PATIENCE).toHaveLength(1);
  abort.abort();
  await expect(hanging).rejects.toThrow();
});

/** Accepts every result: what is asserted is what came. */
const ANY = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;

async function request(client: Client, method: string, params: object): Promise<Record<string, unknown>> {
  return (await client.request({ method, params: { ...params } }, ANY)) as Record<string, unknown>;
}

/** A program that asks, as a task. Gives the id of the task. */
async function startAsking(client: Client): Promise<{ taskId: string }> {
  const { task } = await request(client, "tools/call", { ...exec(ASK), task: {} });
  return { taskId: (task as { taskId: string }).taskId };
}

test("MCP-14, E2E-03: a question of a task says that input is required, and comes once its result is asked for", async () => {
  const { client, front } = await openStdioFront({ connection }, FORMS);
  open.push(front);
  const told: unknown[] = [];
  client.setNotificationHandler("notifications/tasks/status", { params: ANY }, (params) => void told.push(params));
  const asked = answering(client, () => ACCEPTED);
  const { taskId } = await startAsking(client);
  await expect
    .poll(() => request(client, "tasks/get", { taskId }), PATIENCE)
    .toMatchObject({ status: "input_required", statusMessage: "0 calls done, 1 under way: MCP.fixture.ask" });
  expect(asked).toEqual([]);
  const answer = await request(client, "tasks/result", { taskId });
  expect(resultOf(answer)).toEqual({ status: "completed", value: [ACCEPTED] });
  expect(asked).toEqual([
    {
      mode: "form",
      message: "MCP.fixture.ask asks: How many?",
      requestedSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      _meta: { "io.modelcontextprotocol/related-task": { taskId } },
    },
  ]);
  expect(await request(client, "tasks/get", { taskId })).toMatchObject({ status: "completed" });
  expect(told).toMatchObject([
    { taskId, status: "input_required" },
    { taskId, status: "working" },
    { taskId, status: "completed" },
  ]);
});

test("MCP-14, E2E-03: over HTTP a task whose result's stream broke while it asked asks again with the next one", async () => {
  const front = await openHttpFront();
  const broken = new AbortController();
  const breaks = [broken.signal];
  const client = await front.connect({
    async fetch(url, init) {
      const isResult = typeof init?.body === "string" && init.body.includes("tasks/result");
      const signal = isResult ? breaks.shift() : undefined;
      return fetch(url, signal === undefined ? init : { ...init, signal });
    },
  });
  const answers: (ElicitResult | Promise<never>)[] = [new Promise<never>(() => {}), ACCEPTED];
  const asked = answering(client, () => answers.shift() ?? { action: "cancel" });
  const { taskId } = await startAsking(client);
  // The official client never learns that the stream is over.
  request(client, "tasks/result", { taskId }).catch(() => {});
  await expect.poll(() => asked, PATIENCE).toHaveLength(1);
  broken.abort();
  expect(resultOf(await request(client, "tasks/result", { taskId }))).toEqual({
    status: "completed",
    value: [ACCEPTED],
  });
  expect(asked).toHaveLength(2);
});

test("MCP-14, E2E-03: a task that is cancelled while it asks takes its question back", async () => {
  const { client, front } = await openStdioFront({ connection }, FORMS);
  open.push(front);
  let isOver = false;
  let isAsked = false;
  client.setRequestHandler("elicitation/create", async (_, { mcpReq }) => {
    mcpReq.signal.addEventListener("abort", () => (isOver = true));
    isAsked = true;
    return new Promise<never>(() => {});
  });
  const { taskId } = await startAsking(client);
  const fetching = request(client, "tasks/result", { taskId });
  await expect.poll(() => isAsked, PATIENCE).toBe(true);
  expect(await request(client, "tasks/cancel", { taskId })).toMatchObject({ status: "cancelled" });
  expect(resultOf(await fetching)).toMatchObject({ status: "failed", code: "aborted" });
  await expect.poll(() => isOver, PATIENCE).toBe(true);
});

test("MCP-14, E2E-03: a task of a client that takes no forms never requires input", async () => {
  const { client, front } = await openStdioFront({ connection });
  open.push(front);
  const told: unknown[] = [];
  client.setNotificationHandler("notifications/tasks/status", { params: ANY }, (params) => void told.push(params));
  const { taskId } = await startAsking(client);
  expect(resultOf(await request(client, "tasks/result", { taskId }))).toMatchObject({ value: [{ action: "cancel" }] });
  expect(told).toMatchObject([{ taskId, status: "completed" }]);
});
