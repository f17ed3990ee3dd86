import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { CONNECTION_LOST } from "../src/connection-lost.js";
import { wasGivenUp } from "../src/session-failures.js";
import { connectMcpServers, type McpConnectOptions, type McpLogEntry } from "../src/index.js";
import { callContext, firstServer, textOf } from "./connect-fixture.js";
import { openEverythingOverHttp } from "./published-servers.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Answer = (message: { id?: number; method: string; params?: { name?: string } }, to: ServerResponse) => void;

/** A server that shakes hands, lists `echo`, and answers calls as the test says. */
async function openServer(
  answer: Answer,
): Promise<{ url: string; seen: { headers: IncomingMessage["headers"]; message: object }[]; end(): void }> {
  const seen: { headers: IncomingMessage["headers"]; message: object }[] = [];
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") return void response.writeHead(request.method === "DELETE" ? 200 : 405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Parameters<Answer>[0];
    seen.push({ headers: request.headers, message });
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "t", version: "1" },
      },
      "tools/list": {
        tools: [
          { name: "echo", inputSchema: { type: "object" } },
          { name: "broken", inputSchema: 7 },
        ],
      },
    };
    const result = results[message.method];
    if (message.id === undefined) response.writeHead(202).end();
    else if (result === undefined) answer(message, response);
    else json(response, { jsonrpc: "2.0", id: message.id, result });
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  ends.push(end);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen, end };
}

function json(response: ServerResponse, message: unknown): void {
  response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" }).end(JSON.stringify(message));
}

function result(id: number | undefined, text: string): unknown {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } };
}

async function connect(url: string, options: McpConnectOptions = {}) {
  const connection = await connectMcpServers({ mcpServers: { web: { url, headers: { "X-Key": "k1" } } } }, options);
  ends.push(() => connection.close());
  return connection;
}

const lost = (reason: string) => ({ code: "mcp_server_failed", details: { server: "web", reason } });

test("MCP-10: a server is reached over HTTP with its headers, a bad schema costs that tool its schema, and closing ends the session", async () => {
  const { url, seen } = await openServer(({ id }, to) => json(to, result(id, "hello")));
  const connection = await connect(url);
  expect(connection.problems).toEqual([
    {
      server: "web",
      isServerLost: false,
      tool: "broken",
      problem: "inputSchema is 7 instead of a JSON Schema; any input is accepted",
    },
  ]);
  expect(textOf(await firstServer(connection).callTool("echo", {}, callContext()))).toBe("hello");
  expect(connection.processId("web")).toBeUndefined();
  expect(new Set(seen.map(({ headers }) => headers["x-key"]))).toEqual(new Set(["k1"]));
  await connection.close();
  await expect(firstServer(connection).callTool("echo", {}, callContext())).rejects.toMatchObject({ code: "closed" });
});

test("MCP-10: a stream that ends or breaks before the answer rejects its call, and the next call goes on", async () => {
  let calls = 0;
  const { url } = await openServer(({ id }, to) => {
    calls += 1;
    if (calls === 3) return json(to, result(id, "back"));
    if (calls === 4) return json(to, { jsonrpc: "2.0", id, error: { ...CONNECTION_LOST, data: { mark: "other" } } });
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.write(": soon\n\n");
    setTimeout(() => (calls === 1 ? to.end() : to.destroy()), 20);
  });
  const server = firstServer(await connect(url));
  const broke = lost("the connection broke before the answer came (code -32000)");
  const failure = async (): Promise<unknown> =>
    server.callTool("echo", {}, callContext()).catch((error: unknown) => error);
  for (const error of [await failure(), await failure()]) {
    expect(error).toMatchObject(broke);
    // The server may go on with it, and ask somebody for it.
    expect(wasGivenUp(error)).toBe(true);
  }
  expect(textOf(await server.callTool("echo", {}, callContext()))).toBe("back");
  // A server that says the same of itself has answered.
  const refusal = await failure();
  expect(refusal).toMatchObject(broke);
  expect(wasGivenUp(refusal)).toBe(false);
});

test.each(["application/json", "text/event-stream"])(
  "MCP-10: a flood of 50 MB as %s rejects its call only",
  async (type) => {
    let calls = 0;
    const { url } = await openServer(({ id }, to) => {
      calls += 1;
      if (calls > 1) return json(to, result(id, "small"));
      to.writeHead(200, { "content-type": type });
      const text = JSON.stringify(result(id, "x".repeat(50_000_000)));
      to.end(type === "application/json" ? text : `data: ${text}\n\n`);
    });
    const server = firstServer(await connect(url, { maxMessageBytes: 1_000_000 }));
    await expect(server.callTool("echo", {}, callContext())).rejects.toMatchObject({ code: "mcp_server_failed" });
    expect(textOf(await server.callTool("echo", {}, callContext()))).toBe("small");
  },
);

test("MCP-10, MCP-14: many small messages of one stream may be larger than one together, and what is logged is told on", async () => {
  const { url } = await openServer(({ id }, to) => {
    to.writeHead(200, { "content-type": "text/event-stream" });
    const note = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(800) } };
    for (let n = 0; n < 100; n++) to.write(`data: ${JSON.stringify(note)}\r\n\r\n`);
    to.end(`data: ${JSON.stringify(result(id, "done"))}\n\n`);
  });
  const logged: McpLogEntry[] = [];
  const server = firstServer(await connect(url, { maxMessageBytes: 2_000, onLog: (entry) => void logged.push(entry) }));
  expect(textOf(await server.callTool("echo", {}, callContext()))).toBe("done");
  expect(logged).toEqual(Array.from({ length: 100 }, () => ({ server: "web", level: "info", text: "x".repeat(800) })));
});

test.each(["before it answers", "in its stream"])(
  "MCP-10, MCP-14: a server that hangs %s is told of the abort, and the call and its connection end",
  async (when) => {
    let isOpen = true;
    const { url, seen } = await openServer((_message, to) => {
      to.on("close", () => (isOpen = false));
      if (when === "in its stream") to.writeHead(200, { "content-type": "text/event-stream" }).write(": soon\n\n");
    });
    const server = firstServer(await connect(url));
    const abort = new AbortController();
    const call = server.callTool("echo", {}, callContext(abort.signal));
    await expect
      .poll(() => seen.some(({ message }) => "method" in message && message.method === "tools/call"))
      .toBe(true);
    abort.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await expect
      .poll(() => seen.map(({ message }) => (message as { method: string }).method))
      .toContain("notifications/cancelled");
    await expect.poll(() => isOpen).toBe(false);
  },
);

test("MCP-10: a server that cannot be reached, or that refuses, is a problem that says what to check", async () => {
  const refusing = createServer((_, response) => void response.writeHead(401).end("no"));
  refusing.listen(0, "127.0.0.1");
  await once(refusing, "listening");
  ends.push(() => refusing.close());
  const connection = await connect(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}/mcp`);
  expect(connection.problems).toMatchObject([{ server: "web", isServerLost: true }]);
  expect(connection.problems[0]?.problem).toMatch(
    /^initialize failed: .*; check its url and headers, and that it runs$/,
  );
});

test(
  "MCP-10: the published server over HTTP is listed and called; killed mid-call it rejects the call, and started anew it is called again",
  { timeout: 60_000 },
  async () => {
    const { url, port, child } = await openEverythingOverHttp();
    ends.push(() => child.kill("SIGKILL"));
    const connection = await connect(url);
    expect(connection.problems).toEqual([]);
    const server = firstServer(connection);
    expect(await server.callTool("get-sum", { a: 2, b: 3 }, callContext())).toEqual({
      content: [{ type: "text", text: "The sum of 2 and 3 is 5." }],
    });
    expect(await server.prompts?.list()).toMatchObject({ prompts: expect.any(Array) as unknown });
    const slow = server.callTool("trigger-long-running-operation", { duration: 30, steps: 3 }, callContext());
    const rejected = expect(slow).rejects.toMatchObject({ code: "mcp_server_failed" });
    await delay(300);
    child.kill("SIGKILL");
    await rejected;
    await expect(server.callTool("echo", { message: "x" }, callContext())).rejects.toMatchObject({
      code: "mcp_server_failed",
      message: 'MCP server "web" did not answer tools/call: fetch failed (ECONNREFUSED).',
    });
    const again = await openEverythingOverHttp(port);
    ends.push(() => again.child.kill("SIGKILL"));
    expect(await server.callTool("get-sum", { a: 4, b: 5 }, callContext())).toEqual({
      content: [{ type: "text", text: "The sum of 4 and 5 is 9." }],
    });
  },
);
