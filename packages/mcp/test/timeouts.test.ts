import { expect, test } from "vitest";
import { connectMcpServers, type McpServerConfig } from "../src/index.js";
import { callContext, connectFixture, firstServer, fixturePath, textOf } from "./connect-fixture.js";

const tooSlow = (subject: string, ms: number, option: string) => {
  const reason = `${subject} gave neither an answer nor a sign of progress for ${ms} ms`;
  return {
    name: "CodeModeError",
    code: "mcp_server_failed",
    message: `MCP server "fixture" is too slow: ${reason}. It was told to cancel it and takes other requests; allow more time with ${option}, or ask for less.`,
    details: { server: "fixture", reason },
  };
};

test("MCP-10: a call without an answer for callTimeoutMs rejects, the server is told to cancel it and stays usable", async () => {
  await using connection = await connectFixture("takes-its-time.mjs", {}, { callTimeoutMs: 1_000 });
  const server = firstServer(connection);
  await expect(server.callTool("never", {}, callContext())).rejects.toMatchObject(
    tooSlow('tool "never"', 1_000, "callTimeoutMs"),
  );
  expect(JSON.parse(textOf(await server.callTool("cancelled", {}, callContext())))).toHaveLength(1);
});

test("MCP-10, MCP-14: a word of progress gives a call its whole time again", async () => {
  await using connection = await connectFixture("takes-its-time.mjs", {}, { callTimeoutMs: 1_200 });
  expect(textOf(await firstServer(connection).callTool("reports", {}, callContext()))).toBe("done");
});

test("MCP-10: the times of a server's configuration go before those of the options", async () => {
  const command = { command: process.execPath, args: [fixturePath("takes-its-time.mjs")] };
  const fixture: McpServerConfig = { ...command, startTimeoutMs: 10_000, requestTimeoutMs: 200, callTimeoutMs: 250 };
  const hanging = { command: process.execPath, args: [fixturePath("hangs-at-start.mjs")], startTimeoutMs: 1_500 };
  await using connection = await connectMcpServers(
    { mcpServers: { fixture, hanging } },
    { startTimeoutMs: 60_000, requestTimeoutMs: 60_000, callTimeoutMs: 60_000, closeGraceMs: 300 },
  );
  expect(connection.problems.map(({ server, problem }) => [server, problem.split(";")[0]])).toEqual([
    ["hanging", "it did not answer initialize within 1500 ms"],
  ]);
  const server = firstServer(connection);
  await expect(server.callTool("never", {}, callContext())).rejects.toMatchObject(
    tooSlow('tool "never"', 250, "callTimeoutMs"),
  );
  await expect(server.resources?.list()).rejects.toMatchObject(tooSlow("resources/list", 200, "requestTimeoutMs"));
});
