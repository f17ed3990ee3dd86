import { expect, test } from "vitest";
import { listTools, type FetchPage } from "./list-tools.js";

const limits = { maxToolsPerServer: 100, maxListPages: 10 };
const tool = (name: unknown, inputSchema: unknown = {}) => ({ name, inputSchema });

/** Hands out the given pages and records the cursors it was asked for. */
function pagesOf(...pages: object[]): { readonly fetch: FetchPage; readonly cursors: (string | undefined)[] } {
  const cursors: (string | undefined)[] = [];
  return { cursors, fetch: async (cursor) => pages[cursors.push(cursor) - 1] };
}

test.each([undefined, null, "", 5])("MCP-07: the next cursor %j ends the list", async (nextCursor) => {
  const { fetch, cursors } = pagesOf({ tools: [tool("a")], nextCursor: "more" }, { tools: [tool("b")], nextCursor });
  const { tools, faults } = await listTools(fetch, limits);
  expect([tools.map(({ name }) => name), faults, cursors]).toEqual([["a", "b"], [], [undefined, "more"]]);
});

test("MCP-07: one problem is told once, with its count, in the order of its first time", async () => {
  const { fetch } = pagesOf({
    tools: [tool(5), tool("a", 7), tool(""), tool("a"), tool("a"), tool("b", 7), tool(null)],
  });
  const { faults } = await listTools(fetch, limits);
  expect(faults).toEqual([
    { problem: "a tool of its list has no name; it is left out (3 times)" },
    { tool: "a", problem: "inputSchema is 7 instead of a JSON Schema; any input is accepted" },
    { tool: "a", problem: "is listed twice; the first one counts (2 times)" },
    { tool: "b", problem: "inputSchema is 7 instead of a JSON Schema; any input is accepted" },
  ]);
});
