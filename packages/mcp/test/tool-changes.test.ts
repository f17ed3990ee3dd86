import { once } from "node:events";
import { expect, test } from "vitest";
import type { McpConnection } from "../src/index.js";
import { callContext, connectFixture, firstServer } from "./connect-fixture.js";

function toolNames(connection: McpConnection): string[] {
  return firstServer(connection).tools.map((tool) => tool.name);
}

function nextChange(connection: McpConnection): Promise<{ server: string }> {
  return new Promise((resolve) => {
    const stop = connection.onChange((change) => {
      stop();
      resolve(change);
    });
  });
}

test("MCP-10: a server that says its tools changed is listed again, and listeners are told", async () => {
  await using connection = await connectFixture("changes-tools.mjs");
  const before = firstServer(connection);
  const change = nextChange(connection);
  await before.callTool("grow", {}, callContext());
  expect(await change).toEqual({ server: "fixture" });
  expect(toolNames(connection)).toEqual(["grow", "break", "tell", "grown_3"]);
  expect(before.tools).toHaveLength(3);
  expect(await firstServer(connection).callTool("grown_3", {}, callContext())).toEqual({
    content: [{ type: "text", text: "grown_3" }],
  });
});

test("MCP-10: a list that cannot be read again leaves the one before, and is a problem", async () => {
  await using connection = await connectFixture("changes-tools.mjs");
  const change = nextChange(connection);
  await firstServer(connection).callTool("break", {}, callContext());
  await change;
  expect(toolNames(connection)).toEqual(["grow", "break", "tell"]);
  expect(connection.problems).toEqual([
    {
      server: "fixture",
      isServerLost: false,
      problem: "its tools changed, and the new list could not be read: no list today (code -32000)",
    },
  ]);
});

test("MCP-10: a listener that throws is a warning, and the others are told", async () => {
  await using connection = await connectFixture("changes-tools.mjs");
  const warning = once(process, "warning");
  connection.onChange(() => {
    throw new Error("careless listener");
  });
  const change = nextChange(connection);
  await firstServer(connection).callTool("grow", {}, callContext());
  expect(await change).toEqual({ server: "fixture" });
  expect(await warning).toEqual([new Error("careless listener")]);
});

test("MCP-10: a list that is the same as before tells nobody", async () => {
  await using connection = await connectFixture("changes-tools.mjs");
  const changes: string[] = [];
  connection.onChange(({ server }) => changes.push(server));
  const server = firstServer(connection);
  await server.callTool("tell", {}, callContext());
  const change = nextChange(connection);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(changes).toEqual([]);
  await server.callTool("grow", {}, callContext());
  await change;
  expect(changes).toEqual(["fixture"]);
});
