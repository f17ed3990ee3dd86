import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { connectMcpServers, type McpConnection } from "../src/index.js";
import { callContext, connectFixture, firstServer } from "./connect-fixture.js";

const said = (words: string) => ({ content: [{ type: "text", text: words }] });

function nextChange(connection: McpConnection): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.onChange(() => {
      stop();
      resolve();
    });
  });
}

test("MCP-07: a new list with a schema without a bottom costs that schema, and not the host", async () => {
  await using connection = await connectFixture("misbehaves.mjs");
  const server = firstServer(connection);
  const change = nextChange(connection);
  expect(await server.callTool("bottomless", {}, callContext())).toEqual(said("bottomless"));
  await change;
  expect(firstServer(connection).tools.at(-1)).toEqual({ name: "odd", inputSchema: true });
  expect(connection.problems).toEqual([
    {
      server: "fixture",
      isServerLost: false,
      tool: "odd",
      problem: "inputSchema is nested more than 200 levels deep; any input is accepted",
    },
  ]);
});

test.each(["empty_lines", "batch", "pings"])("MCP-10: a flood of %s delays its own answer only", async (name) => {
  await using connection = await connectFixture("misbehaves.mjs");
  const server = firstServer(connection);
  expect(await server.callTool(name, {}, callContext())).toEqual(said(name));
  expect(await server.callTool("fine", {}, callContext())).toEqual(said("fine"));
});

test("MCP-10: a server that closes its output is ended, and the next call finds it started again", async () => {
  await using connection = await connectFixture("misbehaves.mjs", {}, { closeGraceMs: 300 });
  const server = firstServer(connection);
  await expect(server.callTool("silence", {}, callContext())).rejects.toMatchObject({
    code: "mcp_server_failed",
    details: { server: "fixture", reason: "it exited with code 0" },
  });
  expect(await server.callTool("fine", {}, callContext())).toEqual(said("fine"));
});

test("SEC-04: what a server tells of its environment is in no error", async () => {
  const env = { TOKEN: "tok-0123456789" };
  await using connection = await connectFixture("misbehaves.mjs", { env });
  await expect(firstServer(connection).callTool("tell", {}, callContext())).rejects.toMatchObject({
    message: 'MCP server "fixture" refused tools/call: invalid token [hidden] (code -32000).',
    details: { reason: "invalid token [hidden] (code -32000)" },
  });
  await using dying = await connectFixture("misbehaves.mjs", { env: { ...env, MODE: "dies" } });
  await using greeting = await connectFixture("misbehaves.mjs", { env: { ...env, MODE: "greets" } });
  expect([...dying.problems, ...greeting.problems].map(({ problem }) => problem)).toEqual([
    "it exited with code 1 before it was ready; its last words: Error: invalid token [hidden]; run its command in a terminal to see why",
    'it exited with code 1 before it was ready; it printed "using [hidden]" where messages belong; run its command in a terminal to see why',
  ]);
});

test("SEC-04: what a server tells of its headers is in no error", async () => {
  const server = createServer((socket) => {
    socket.once("data", (request) => {
      const token = /bearer (\S+)/i.exec(request.toString())?.[1] ?? "";
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${token.length}\r\nConnection: close\r\n\r\n${token}`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  await using connection = await connectMcpServers({
    mcpServers: { remote: { url, headers: { Authorization: "Bearer tok-0123456789" } } },
  });
  expect(connection.problems.map(({ problem }) => problem)).toEqual([
    "initialize failed: Error POSTing to endpoint: [hidden]; check its url and headers, and that it runs",
  ]);
  server.close();
});

test("MCP-10: a list of messages over HTTP is bounded, and floods of events delay their own answer only", async () => {
  await using http = await openFloodingServer();
  await using connection = await connectMcpServers({ mcpServers: { remote: { url: http.url } } });
  const server = firstServer(connection);
  await expect(server.callTool("batch", {}, callContext())).rejects.toMatchObject({
    message: 'MCP server "remote" did not answer tools/call: its answer is a list of more than 65536 bytes.',
  });
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  expect(await server.callTool("events", {}, callContext())).toEqual(said("events"));
  clearInterval(count);
  expect(turns).toBeGreaterThan(10);
});

/** A server that answers `batch` with a long list of messages, and `events` after many events. */
async function openFloodingServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createHttpServer((request, response) => {
    void readJson(request).then((message) => {
      const { id, method = "", params } = message as { id?: number; method?: string; params?: { name?: string } };
      const answer = (result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result });
      const note = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1}}';
      if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
      if (params?.name === "events") {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        return response.end(`${`data: ${note}\n\n`.repeat(5_000)}data: ${answer(said("events"))}\n\n`);
      }
      response.writeHead(200, { "Content-Type": "application/json" });
      if (params?.name === "batch") return response.end(`[${`${note},`.repeat(1_000)}${answer(said("batch"))}]`);
      if (method === "tools/list") return response.end(answer({ tools: [{ name: "batch" }, { name: "events" }] }));
      const serverInfo = { name: "flooding", version: "1.0.0" };
      return response.end(answer({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readJson(request: Readable): Promise<unknown> {
  const body = await text(request);
  return body === "" ? {} : (JSON.parse(body) as unknown);
}
