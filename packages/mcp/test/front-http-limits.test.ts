import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { CodeModeEvent } from "@codemode/core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  serveMcp,
  type HttpFrontOptions,
  type McpConnection,
  type McpFront,
  type McpFrontEvent,
} from "../src/index.js";
import { connectTwoServers, expectAllEnded, PATIENT, resultOf } from "./front-client.js";
import { INITIALIZE, initialize, open, send, writeRaw } from "./raw-http.js";

const PATIENCE = { timeout: 15_000 };
let connection: McpConnection;
let front: McpFront | undefined;
beforeAll(async () => {
  connection = await connectTwoServers();
});
afterAll(() => connection.close());
afterEach(async () => front?.close());

interface WatchedFront extends McpFront {
  readonly events: readonly McpFrontEvent[];
  readonly inside: readonly CodeModeEvent[];
}

async function openFront(options: Partial<HttpFrontOptions> = {}): Promise<WatchedFront> {
  const events: McpFrontEvent[] = [];
  const inside: CodeModeEvent[] = [];
  front = await serveMcp({
    connection,
    codeMode: { config: PATIENT, workers: { idleTimeoutMs: 200 }, onEvent: (event) => void inside.push(event) },
    transport: { type: "http", port: 0, ...options },
    onEvent: (event) => events.push(event),
  });
  return Object.assign(front, { events, inside });
}

const message = (fields: object): string => JSON.stringify({ jsonrpc: "2.0", ...fields });
const INITIALIZED = message({ method: "notifications/initialized" });
const execCall = (id: unknown, code: string): object => ({
  id,
  method: "tools/call",
  params: { name: "exec", arguments: { code } },
});

/** A session that goes on after its handshake. */
async function openSession(served: McpFront): Promise<Record<string, string>> {
  const headers = { "Mcp-Session-Id": await initialize(served) };
  expect(await send(served, { headers, body: INITIALIZED })).toMatchObject({ status: 202 });
  return headers;
}

/** Message of the one event in an answer's stream. */
function eventOf(body: string): Record<string, unknown> {
  const [, data = "null"] = /^data: (.*)$/m.exec(body) ?? [];
  return JSON.parse(data) as Record<string, unknown>;
}

const hasCalled = ({ inside }: WatchedFront, name: string): boolean =>
  inside.some((event) => event.type === "call-start" && event.name === name);

const closings = ({ events }: WatchedFront): readonly unknown[] =>
  events.flatMap((event) => (event.type === "session-close" ? [[event.session, event.reason]] : []));

test("E2E-03: a second request with the id of one under way is refused, and the first keeps its answer", async () => {
  const served = await openFront();
  const headers = await openSession(served);
  const first = send(served, {
    headers,
    body: message(execCall("same", 'return (await MCP.slow.later({ key: "ids" })).content[0].text')),
  });
  await expect.poll(() => hasCalled(served, "MCP.slow.later"), PATIENCE).toBe(true);
  const repeated = {
    status: 400,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "a request with this id is under way; the first one goes on" },
    }),
  };
  expect(await send(served, { headers, body: message(execCall("same", "2")) })).toMatchObject(repeated);
  const batch = `[${message(execCall("other", "2"))},${message(execCall("same", "3"))}]`;
  expect(await send(served, { headers, body: batch })).toMatchObject(repeated);
  const release = await send(served, {
    headers,
    body: message(execCall("other", 'await MCP.slow.release({ key: "ids" })')),
  });
  expect(eventOf(release.body)).toMatchObject({ id: "other" });
  const answer = eventOf((await first).body);
  expect([answer["id"], resultOf(answer["result"])]).toEqual(["same", { status: "completed", value: "late ids" }]);
  const again = await send(served, { headers, body: message(execCall("same", "2")) });
  expect(resultOf(eventOf(again.body)["result"])).toEqual({ status: "completed", value: 2 });
});

test("E2E-03: the id of a refused, of a cancelled and of a dropped request is free in the end", async () => {
  const served = await openFront();
  const headers = await openSession(served);
  const ping = message({ id: "p", method: "ping" });
  expect(await send(served, { headers: { ...headers, Accept: "text/html" }, body: ping })).toMatchObject({
    status: 406,
  });
  expect(await send(served, { headers, body: ping })).toMatchObject({ status: 200 });
  const cancelled = send(served, { headers, body: message(execCall("c", "await MCP.slow.never({})")) });
  const cancel = message({ method: "notifications/cancelled", params: { requestId: "c" } });
  expect(await send(served, { headers, body: cancel })).toMatchObject({ status: 202 });
  expect(await cancelled).toMatchObject({ status: 200, body: "" });
  expect(await send(served, { headers, body: message({ id: "c", method: "ping" }) })).toMatchObject({ status: 200 });
  const task = await send(served, {
    headers,
    body: message({
      id: "t",
      method: "tools/call",
      params: { name: "exec", arguments: { code: "await MCP.slow.never({})" }, task: {} },
    }),
  });
  const { taskId } = (eventOf(task.body)["result"] as { task: { taskId: string } }).task;
  const fetching = send(served, { headers, body: message({ id: "r", method: "tasks/result", params: { taskId } }) });
  const stop = message({ method: "notifications/cancelled", params: { requestId: "r" } });
  expect(await send(served, { headers, body: stop })).toMatchObject({ status: 202 });
  expect(await fetching).toMatchObject({ status: 200, body: "" });
  const status = await send(served, { headers, body: message({ id: "r", method: "tasks/get", params: { taskId } }) });
  expect(eventOf(status.body)).toMatchObject({ id: "r", result: { status: "working" } });
  const dropped = await open(served, {
    headers,
    body: message(execCall("d", 'await MCP.slow.later({ key: "drop" })')),
  });
  await expect.poll(() => hasCalled(served, "MCP.slow.later"), PATIENCE).toBe(true);
  dropped.destroy();
  const probe = async (): Promise<unknown> =>
    (await send(served, { headers, body: message({ id: "d", method: "ping" }) })).status;
  expect(await probe()).toBe(400);
  await send(served, { headers, body: message(execCall("e", 'await MCP.slow.release({ key: "drop" })')) });
  await expect.poll(probe, PATIENCE).toBe(200);
});

test("E2E-03: a client that sends nothing after its handshake makes room, and one that went on does not", async () => {
  const served = await openFront({ maxSessions: 3 });
  const headers = await openSession(served);
  for (let count = 0; count < 6; count += 1)
    expect(await send(served, { body: INITIALIZE })).toMatchObject({ status: 200 });
  expect(served.sessions()).toBe(3);
  expect(closings(served)).toEqual([2, 3, 4, 5].map((session) => [session, "it made room for another client"]));
  expect(await send(served, { headers, body: message({ id: 2, method: "ping" }) })).toMatchObject({ status: 200 });
  await Promise.all([openSession(served), openSession(served)]);
  expect(await send(served, { body: INITIALIZE })).toMatchObject({
    status: 503,
    body: expect.stringContaining("too many sessions are open; try again later") as unknown,
  });
});

test("E2E-03: handshakes at one time never open more sessions than there may be", async () => {
  const served = await openFront({ maxSessions: 2 });
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await send(served, { body: INITIALIZE })).status),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(served.sessions()).toBeLessThanOrEqual(2);
  expect(await send(served, { body: INITIALIZE })).toMatchObject({ status: 200 });
});

test("E2E-03: a client that does not go on after its handshake is let go in time", async () => {
  const served = await openFront({ handshakeTimeoutMs: 200 });
  const headers = await openSession(served);
  await send(served, { body: INITIALIZE });
  expect(served.sessions()).toBe(2);
  await expect.poll(() => served.sessions(), PATIENCE).toBe(1);
  expect(closings(served)).toEqual([[2, "it did not go on after its handshake"]]);
  expect(await send(served, { headers, body: message({ id: 2, method: "ping" }) })).toMatchObject({ status: 200 });
});

test("SEC-04: a request with two Host headers is refused, whichever of them is allowed", async () => {
  const served = await openFront();
  const { port } = new URL(served.url ?? "");
  for (const hosts of [
    [`127.0.0.1:${port}`, "rebound.example"],
    ["rebound.example", `127.0.0.1:${port}`],
    ["127.0.0.1", "127.0.0.1"],
  ]) {
    const lines = [
      "POST /mcp HTTP/1.1",
      ...hosts.map((host) => `hOsT: ${host}`),
      "Content-Length: 0",
      "Connection: close",
    ];
    const answer = await text(await writeRaw(served, `${lines.join("\r\n")}\r\n\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"message":"there is more than one Host header"');
  }
});

/** How many calls the server behind was told to cancel, since it was started. */
async function cancelsBehind(served: McpFront): Promise<number> {
  const headers = await openSession(served);
  const body = message(execCall("seen", "JSON.parse((await MCP.slow.cancelled({})).content[0].text).length"));
  const answer = await send(served, { headers, body });
  await send(served, { method: "DELETE", headers });
  return resultOf(eventOf(answer.body)["result"])["value"] as number;
}

test("E2E-03: a client whose sockets drop frees session, cells, tasks and threads, and servers behind are told", async () => {
  const served = await openFront({ idleTimeoutMs: 300 });
  const before = await cancelsBehind(served);
  const headers = await openSession(served);
  const task = { name: "exec", arguments: { code: "await MCP.slow.never({})" }, task: {} };
  await send(served, { headers, body: message({ id: 1, method: "tools/call", params: task }) });
  await send(served, { headers, body: message(execCall(2, "MCP.slow.never({}); await yield_control()")) });
  const stream = await open(served, { method: "GET", headers });
  const running = [
    await open(served, { headers, body: message(execCall(3, "await MCP.slow.never({})")) }),
    await open(served, { headers, body: message(execCall(4, "for (;;) {}")) }),
  ];
  await expect.poll(() => served.inside.filter(({ type }) => type === "cell-start").length, PATIENCE).toBe(5);
  await expect
    .poll(
      () => served.inside.filter((one) => one.type === "call-start" && one.name === "MCP.slow.never").length,
      PATIENCE,
    )
    .toBe(3);
  const gone = [stream, ...running].map((response) => once(response.socket, "close"));
  for (const response of [stream, ...running]) response.socket.destroy();
  await Promise.all(gone);
  await expect.poll(() => served.sessions(), PATIENCE).toBe(0);
  expect(closings(served).at(-1)).toEqual([2, "it was idle for too long"]);
  // With the front still open: nothing waits for its close.
  await expect.poll(() => threads(served), PATIENCE).toEqual({ started: expect.any(Number) as unknown, left: 0 });
  expectAllEnded(served.inside, { cells: 5 });
  await expect.poll(() => cancelsBehind(served), PATIENCE).toBe(before + 3);
});

function threads({ inside }: WatchedFront): unknown {
  const started = inside.filter(({ type }) => type === "worker-start").length;
  return { started, left: started - inside.filter(({ type }) => type === "worker-exit").length };
}
