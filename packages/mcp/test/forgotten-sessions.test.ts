import { afterEach, beforeEach, expect, test } from "vitest";
import { connectMcpServers, type McpConnection, type McpConnectOptions, type McpReconnectEvent } from "../src/index.js";
import { callContext, firstServer, textOf } from "./connect-fixture.js";
import { createSessionServer, type SessionServer } from "./session-server.js";

let web: SessionServer;
let now: number;
let events: McpReconnectEvent[];

beforeEach(async () => {
  web = await createSessionServer(404);
  now = 0;
  events = [];
});
afterEach(() => web[Symbol.asyncDispose]());

function connect(options: McpConnectOptions = {}, { url } = web): Promise<McpConnection> {
  return connectMcpServers(
    { mcpServers: { web: { url } } },
    { clock: { now: () => now }, onReconnect: (event) => void events.push(event), ...options },
  );
}

async function call(connection: McpConnection, name = "session"): Promise<string> {
  return textOf(await firstServer(connection).callTool(name, {}, callContext()));
}

const FORGOTTEN = "it has forgotten the session";
const told = { server: "web", reason: FORGOTTEN, attempt: 1 };
const gone = (reason: string, message: string) => ({
  code: "mcp_server_failed",
  message: `MCP server "web" is gone${message}`,
  details: { server: "web", reason },
});

test("MCP-10: calls that a server turned away with their session share a new one and are sent again once", async () => {
  await using connection = await connect();
  expect(await call(connection)).toBe("s1");
  web.forget();
  web.log.length = 0;
  expect(await Promise.all([call(connection), call(connection), call(connection)])).toEqual(["s2", "s2", "s2"]);
  const count = (line: string) => web.log.filter((one) => one === line).length;
  expect(["s1 refused tools/call", "s2 initialize", "s2 tools/call"].map(count)).toEqual([3, 1, 3]);
  expect(events).toEqual([told]);
  await connection.close();
  expect(web.log.filter((line) => line.endsWith("DELETE"))).toEqual(["s2 DELETE"]);
});

test("MCP-10: a call under way in the forgotten session may still be answered, and is not sent again", async () => {
  await using connection = await connect();
  const held = call(connection, "hold");
  await expect.poll(() => web.log).toContain("s1 tools/call");
  web.forget();
  expect(await call(connection)).toBe("s2");
  web.release();
  expect(await held).toBe("s1");
  expect(web.log.filter((line) => line.endsWith("tools/call"))).toEqual([
    "s1 tools/call",
    "s1 refused tools/call",
    "s2 tools/call",
  ]);
});

test("MCP-10: a call whose stream broke rejects, and the next one finds a new session", async () => {
  await using connection = await connect();
  const held = call(connection, "hold");
  await expect.poll(() => web.log).toContain("s1 tools/call");
  web.forget();
  await web.shut();
  await expect(held).rejects.toMatchObject({ code: "mcp_server_failed" });
  await web.open();
  expect(await call(connection)).toBe("s2");
  expect(events).toEqual([told]);
});

test("MCP-10: a server that says 400 of a session it does not know is asked by a ping; a bad request is just that", async () => {
  await using other = await createSessionServer(400);
  await using connection = await connect({}, other);
  await expect(call(connection, "bad")).rejects.toMatchObject({
    code: "mcp_server_failed",
    message: 'MCP server "web" did not answer tools/call: Error POSTing to endpoint: a bad request.',
  });
  expect(await call(connection)).toBe("s1");
  expect(events).toEqual([]);
  other.forget();
  expect(await call(connection)).toBe("s2");
  expect(events).toEqual([told]);
  expect(other.log.filter((line) => line.endsWith("ping"))).toEqual(["s1 ping", "s1 refused ping"]);
});

test("MCP-10: a call is sent again once; a server that forgets every session is asked at growing intervals", async () => {
  await using connection = await connect();
  web.forget();
  web.isForgetful = true;
  await expect(call(connection)).rejects.toMatchObject(
    gone(FORGOTTEN, `: ${FORGOTTEN}. What it held is lost; the next call connects to it again.`),
  );
  expect(web.log.filter((line) => line.endsWith("tools/call"))).toEqual([
    "s1 refused tools/call",
    "s2 refused tools/call",
  ]);
  await expect(call(connection)).rejects.toMatchObject(
    gone(FORGOTTEN, `: ${FORGOTTEN}. It may be tried again in 500 ms.`),
  );
  now += 500;
  web.isForgetful = false;
  expect(await call(connection)).toBe("s3");
  expect(events).toEqual([told, told]);
});

test("MCP-10: a server that opens no new session rejects now, and is tried again after a pause", async () => {
  await using connection = await connect();
  web.forget();
  web.isBusy = true;
  const reason = "initialize failed: Error POSTing to endpoint: busy; check its url and headers, and that it runs";
  await expect(call(connection)).rejects.toMatchObject(
    gone(reason, ` and could not be connected again: ${reason}. It may be tried again in 500 ms.`),
  );
  web.isBusy = false;
  await expect(call(connection)).rejects.toMatchObject(gone(reason, `: ${reason}. It may be tried again in 500 ms.`));
  now += 500;
  expect(await call(connection)).toBe("s2");
  expect(events).toEqual([{ ...told, attempt: 2 }]);
});

test("MCP-10: a server that cannot be reached rejects each call at once, and the first that reaches it goes on", async () => {
  await using connection = await connect();
  await web.shut();
  for (let calls = 0; calls < 3; calls += 1) {
    await expect(call(connection)).rejects.toMatchObject({
      code: "mcp_server_failed",
      message: expect.stringMatching(/^MCP server "web" did not answer tools\/call: fetch failed \(/) as unknown,
    });
  }
  await web.open();
  expect(await call(connection)).toBe("s1");
  expect(events).toEqual([]);
});

test("MCP-10: without reconnect a forgotten session rejects that call and every later one", async () => {
  await using connection = await connect({ reconnect: false });
  web.forget();
  const lost = gone(FORGOTTEN, `: ${FORGOTTEN}. Connect again to use it.`);
  await expect(call(connection)).rejects.toMatchObject(lost);
  await expect(call(connection)).rejects.toMatchObject(lost);
  expect(web.log.filter((line) => line.endsWith("initialize"))).toEqual(["s1 initialize"]);
});
