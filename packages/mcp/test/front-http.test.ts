import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { CodeModeEvent, CodeModeOptions } from "@codemode/core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  serveMcp,
  type HttpFrontOptions,
  type McpConnection,
  type McpFront,
  type McpFrontEvent,
} from "../src/index.js";
import { connectTwoServers, expectAllEnded, PATIENT, resultOf } from "./front-client.js";
import { INITIALIZE, send, type RawRequest } from "./raw-http.js";

const TOKEN = "a-token-for-this-test-only";
/** A first cell waits for its worker thread, and this machine may have other things to do. */
const PATIENCE = { timeout: 15_000 };
const exec = (code: string) => ({ name: "exec", arguments: { code } });

let connection: McpConnection;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  connection = await connectTwoServers();
});
afterAll(() => connection.close());
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function openFront(
  options: Partial<HttpFrontOptions> = {},
  codeMode: CodeModeOptions = {},
): Promise<McpFront & { events: McpFrontEvent[] }> {
  const events: McpFrontEvent[] = [];
  const front = await serveMcp({
    connection,
    codeMode: { config: PATIENT, ...codeMode },
    transport: { type: "http", port: 0, ...options },
    onEvent: (event) => events.push(event),
  });
  open.push(front);
  return Object.assign(front, { events });
}

interface HttpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

async function connect({ url }: McpFront, token?: string): Promise<HttpClient> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url ?? ""), { requestInit: { headers } });
  const client = new Client({ name: "tester", version: "1.0.0" });
  await client.connect(transport);
  open.push(client);
  return { client, transport };
}

test("E2E-03: an official client lists, runs, sees progress, cancels and waits over HTTP", async () => {
  const front = await openFront();
  const { client } = await connect(front);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["exec", "wait"]);
  const told: (string | undefined)[] = [];
  const waiting = resultOf(
    await client.callTool(
      exec('const p = MCP.slow.later({ key: "http" }); await yield_control(); return (await p).content'),
      {
        onprogress: ({ message }) => told.push(message),
      },
    ),
  );
  expect(waiting).toMatchObject({ status: "waiting", pendingToolCalls: [{ name: "MCP.slow.later" }] });
  expect(told[0]).toBe("running");
  const rest = client.callTool({ name: "wait", arguments: { runId: waiting["runId"] } });
  await client.callTool(exec('await MCP.slow.release({ key: "http" })'));
  expect(resultOf(await rest)).toMatchObject({ status: "completed", value: [{ type: "text", text: "late http" }] });
  const abort = new AbortController();
  const cancelled = client.callTool(exec("await MCP.slow.never({})"), {
    signal: abort.signal,
    onprogress: ({ message = "" }) => {
      if (message.includes("MCP.slow.never")) abort.abort("stop");
    },
  });
  await expect(cancelled).rejects.toThrow("stop");
  await expect.poll(() => front.events.at(-1), PATIENCE).toMatchObject({ type: "tool-call", code: "aborted" });
});

test("E2E-03: the stream of a cancelled call ends, for a client that only tells of it", async () => {
  const front = await openFront();
  const { transport, client } = await connect(front);
  const headers = { "Mcp-Session-Id": transport.sessionId ?? "" };
  const call = { jsonrpc: "2.0", id: "raw", method: "tools/call", params: exec("await MCP.slow.never({})") };
  const answer = send(front, { body: JSON.stringify(call), headers });
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "raw" } };
  expect(await send(front, { body: JSON.stringify(cancel), headers })).toMatchObject({ status: 202, body: "" });
  expect(await answer).toMatchObject({ status: 200, body: "" });
  expect(resultOf(await client.callTool(exec("1")))).toMatchObject({ value: 1 });
});

test("E2E-03: servers behind that change are told on to every session", async () => {
  const front = await openFront();
  const [one, two] = [await connect(front), await connect(front)];
  const told = [one, two].map(
    ({ client }) =>
      new Promise<void>((resolve) => {
        client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
      }),
  );
  await one.client.callTool(exec("await MCP.changing.grow({})"));
  await Promise.all(told);
});

test("E2E-03: 20 clients at once have runs of their own, and cells of another session are refused", async () => {
  const front = await openFront();
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect(front)));
  expect(front.sessions()).toBe(20);
  const parked = await Promise.all(
    clients.map(async ({ client }, index) =>
      resultOf(
        await client.callTool(exec(`globalThis.mine = ${index}; await yield_control(); return [mine, ${index}]`)),
      ),
    ),
  );
  expect(parked.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "waiting"));
  const waitFor = async (client: HttpClient | undefined, result: Record<string, unknown> | undefined) =>
    resultOf(await client?.client.callTool({ name: "wait", arguments: { runId: result?.["runId"] } }));
  expect(await waitFor(clients[0], parked[1])).toMatchObject({
    status: "failed",
    error: "code mode run belongs to a different agent run.",
  });
  const results = await Promise.all(clients.map((client, index) => waitFor(client, parked[index])));
  expect(results).toEqual(parked.map((_, index) => ({ status: "completed", value: [index, index] })));
  await Promise.all(clients.map(({ transport }) => transport.terminateSession()));
  await expect.poll(() => front.sessions(), PATIENCE).toBe(0);
});

test("E2E-03: clients that vanish without a word free their sessions, with running and parked cells", async () => {
  const inside: CodeModeEvent[] = [];
  const front = await openFront({ idleTimeoutMs: 300 }, { onEvent: (event) => inside.push(event) });
  const clients = await Promise.all(Array.from({ length: 5 }, () => connect(front)));
  for (const { client } of clients) {
    await client.callTool(exec("MCP.slow.never({}); await yield_control()"));
    client.callTool(exec("await MCP.slow.never({})")).catch(() => {});
  }
  await expect.poll(() => inside.filter(({ type }) => type === "cell-start").length, PATIENCE).toBe(10);
  expect(front.sessions()).toBe(5);
  await Promise.all(clients.map(({ client }) => client.close()));
  await expect.poll(() => front.sessions(), PATIENCE).toBe(0);
  const closed = front.events.filter(({ type }) => type === "session-close");
  expect(closed).toEqual(
    Array.from({ length: 5 }, (): unknown => ({
      type: "session-close",
      session: expect.any(Number) as unknown,
      reason: "it was idle for too long",
    })),
  );
  await front.close();
  expectAllEnded(inside, { cells: 10 });
});

test("E2E-03: a session with a stream open is not idle", async () => {
  const front = await openFront({ idleTimeoutMs: 200 });
  const { client } = await connect(front);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(front.sessions()).toBe(1);
  expect(resultOf(await client.callTool(exec("6 * 7")))).toMatchObject({ value: 42 });
});

test("SEC-04: without the token nothing is answered, and the token is in no answer and no event", async () => {
  const front = await openFront({ token: TOKEN });
  expect(await send(front, { body: INITIALIZE })).toMatchObject({ status: 401 });
  for (const Authorization of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, "Bearer"]) {
    const answer = await send(front, { body: INITIALIZE, headers: { Authorization } });
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain(TOKEN);
  }
  const { client } = await connect(front, TOKEN);
  expect(resultOf(await client.callTool(exec("1")))).toMatchObject({ value: 1 });
  expect(JSON.stringify(front.events)).not.toContain(TOKEN);
});

test("SEC-04: an address outside this machine needs a token, and an unfit token is not shown", async () => {
  const refused = (options: Partial<HttpFrontOptions>) =>
    serveMcp({ connection, transport: { type: "http", port: 0, ...options } });
  await expect(refused({ host: "0.0.0.0" })).rejects.toThrow(
    'host: "0.0.0.0" can be reached from other machines, so a token is needed; give one, or listen on 127.0.0.1.',
  );
  await expect(refused({ token: "too short" })).rejects.toThrow(
    "The token must be 16 to 4096 visible ASCII characters without spaces.",
  );
});

test("E2E-03: pages of other sites are kept out by Host and Origin", async () => {
  const front = await openFront();
  const port = new URL(front.url ?? "").port;
  const refusal = (message: string) => ({
    status: 403,
    body: JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }),
  });
  expect(await send(front, { body: INITIALIZE, headers: { Host: `rebound.example:${port}` } })).toMatchObject(
    refusal("the Host header names no host that this server answers for"),
  );
  for (const Origin of ["https://rebound.example", "null", "file://"]) {
    expect(await send(front, { body: INITIALIZE, headers: { Origin } })).toMatchObject(
      refusal("requests of this Origin are refused"),
    );
  }
  expect(await send(front, { body: INITIALIZE, headers: { Origin: "http://localhost:6274" } })).toMatchObject({
    status: 200,
  });
});

test("E2E-03: what is no request of a session is refused, each with its status", async () => {
  const front = await openFront({ maxBodyBytes: 2_000 });
  const status = async (options: RawRequest) => (await send(front, options)).status;
  expect(await status({ path: "/", body: INITIALIZE })).toBe(404);
  expect(await status({ method: "PUT" })).toBe(405);
  expect(await status({ body: "{" })).toBe(400);
  expect(await status({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) })).toBe(400);
  expect(await status({ method: "GET" })).toBe(400);
  expect(await status({ headers: { "Mcp-Session-Id": "guessed" }, body: INITIALIZE })).toBe(404);
  expect(await status({ body: " ".repeat(2_001) })).toBe(413);
  expect(await status({ body: " ".repeat(2_001), headers: { "Transfer-Encoding": "chunked" } })).toBe(413);
  expect(await status({ body: INITIALIZE, headers: { Accept: "text/html" } })).toBe(406);
  expect(front.sessions()).toBe(0);
});

test("E2E-03: closing ends sessions and streams and frees the port; a taken port says what to do", async () => {
  const front = await openFront();
  const { client } = await connect(front);
  const port = Number(new URL(front.url ?? "").port);
  await expect(serveMcp({ connection, transport: { type: "http", port } })).rejects.toThrow(
    `port: cannot listen on 127.0.0.1, port ${port} (EADDRINUSE); choose another port, or 0 for any free one.`,
  );
  const running = client.callTool(exec("await MCP.slow.never({})")).catch((error: unknown) => error);
  await front.close();
  await front.closed;
  expect(front.sessions()).toBe(0);
  expect(await running).toBeInstanceOf(Error);
  const again = await serveMcp({ connection, transport: { type: "http", port } });
  await again.close();
});
