import { expect, test } from "vitest";
import { callContext, connectFixture, firstServer } from "./connect-fixture.js";

const gone = (nextStep: string) => ({
  name: "CodeModeError",
  code: "mcp_server_failed",
  message: `MCP server "fixture" is gone: it exited with code 7; its last words: Error: the disk is on fire. ${nextStep}`,
  details: { server: "fixture", reason: "it exited with code 7; its last words: Error: the disk is on fire" },
});

const alive = { content: [{ type: "text", text: "still here" }] };

test("MCP-10: a server that dies mid-call rejects that call, and the next one finds it started again", async () => {
  await using connection = await connectFixture("dies-mid-call.mjs");
  const server = firstServer(connection);
  expect(await server.callTool("fine", {}, callContext())).toEqual(alive);
  await expect(server.callTool("die", {}, callContext())).rejects.toMatchObject(
    gone("What it held is lost; the next call connects to it again."),
  );
  expect(await server.callTool("fine", {}, callContext())).toEqual(alive);
});

test("MCP-10: without reconnect a server that dies mid-call rejects that call and every later one", async () => {
  await using connection = await connectFixture("dies-mid-call.mjs", {}, { reconnect: false });
  const server = firstServer(connection);
  expect(await server.callTool("fine", {}, callContext())).toEqual(alive);
  const dead = gone("Connect again to use it.");
  await expect(server.callTool("die", {}, callContext())).rejects.toMatchObject(dead);
  await expect(server.callTool("fine", {}, callContext())).rejects.toMatchObject(dead);
  expect(connection.processId("fixture")).toBeUndefined();
});

test("MCP-10: every call under way rejects when the server dies", async () => {
  await using connection = await connectFixture("dies-mid-call.mjs");
  const server = firstServer(connection);
  const outcomes = await Promise.allSettled(
    ["die", "fine", "fine"].map((name) => server.callTool(name, {}, callContext())),
  );
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "rejected"]);
});

test("MCP-10: a server that is killed from outside rejects its call", async () => {
  await using connection = await connectFixture("records-cancels.mjs");
  const processId = connection.processId("fixture");
  const slow = firstServer(connection).callTool("slow", {}, callContext());
  process.kill(processId ?? Number.NaN, "SIGKILL");
  await expect(slow).rejects.toMatchObject({
    code: "mcp_server_failed",
    details: { server: "fixture", reason: "it was ended by SIGKILL" },
  });
  expect(connection.processId("fixture")).toBeUndefined();
  expect(connection.processId("absent")).toBeUndefined();
});

test("MCP-10: calls reject with closed after, and while, the connection closes", async () => {
  const connection = await connectFixture("records-cancels.mjs");
  const server = firstServer(connection);
  const closed = { code: "closed", details: { what: "connection" }, message: 'MCP server "fixture" was closed.' };
  const underWay = expect(server.callTool("slow", {}, callContext())).rejects.toMatchObject(closed);
  await connection.close();
  await underWay;
  await expect(server.callTool("slow", {}, callContext())).rejects.toMatchObject(closed);
  await connection.close();
});
