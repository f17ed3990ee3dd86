import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { connectMcpServers, type McpConnection } from "../src/index.js";
import { callContext, connectFixture, firstServer } from "./connect-fixture.js";

const said = (text: string) => ({ content: [{ type: "text", text }] });

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
