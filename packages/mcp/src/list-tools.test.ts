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

test("MCP-07: tools that are too large together are left out from there on", async () => {
  const large = (name: string) => ({ ...tool(name), outputSchema: { enum: ["x".repeat(1_000_000)] } });
  const page = (number: number) => ({
    tools: Array.from({ length: 20 }, (_, index) => large(`t${number}_${index}`)),
    nextCursor: `${number + 1}`,
  });
  const { fetch, cursors } = pagesOf(page(0), page(1), page(2));
  const { tools, faults } = await listTools(fetch, limits);
  expect([tools.length, cursors, faults]).toEqual([
    33,
    [undefined, "1"],
    [{ problem: "its tools have more than 33554432 characters together; the rest is left out" }],
  ]);
});
