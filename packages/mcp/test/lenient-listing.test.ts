import { expect, test } from "vitest";
import { callContext, connectFixture, firstServer } from "./connect-fixture.js";

const object = { type: "object" };

test("MCP-07: a bad tool costs its schema or itself, never the server, and is reported", async () => {
  await using connection = await connectFixture("bad-tools.mjs");
  const server = firstServer(connection);
  expect(server.tools).toEqual([
    { name: "good", description: "The tool good.", inputSchema: object },
    { name: "odd_schema", inputSchema: true },
    { name: "no_schema", inputSchema: true },
    { name: "odd_output", inputSchema: object },
  ]);
  const about = (problem: string, tool?: string) => ({
    server: "fixture",
    isServerLost: false,
    ...(tool === undefined ? {} : { tool }),
    problem,
  });
  expect(connection.problems).toEqual([
    about("a tool of its list has no name; it is left out"),
    about('inputSchema is "not a schema" instead of a JSON Schema; any input is accepted', "odd_schema"),
    about("inputSchema is missing; any input is accepted", "no_schema"),
    about("outputSchema is an array instead of a JSON Schema; it is left out", "odd_output"),
    about('a tool of its list is "not a tool" instead of an object; it is left out'),
    about("is listed twice; the first one counts", "good"),
  ]);
  expect(await server.callTool("odd_schema", {}, callContext())).toEqual({
    content: [{ type: "text", text: "odd_schema" }],
  });
});

test("MCP-07: every page of a list is read", async () => {
  await using connection = await connectFixture("paginates.mjs", { args: ["plain", "2"] });
  expect(connection.problems).toEqual([]);
  expect(firstServer(connection).tools.map((tool) => tool.name)).toEqual([
    "tool_0_0",
    "tool_0_1",
    "tool_1_0",
    "tool_1_1",
    "tool_2_0",
    "tool_2_1",
  ]);
});

test.each([
  { mode: "loops", count: 4, problem: "the tool list repeats a page; what follows it is missing" },
  {
    mode: "endless",
    options: { maxListPages: 3 },
    count: 6,
    problem: "the tool list has more than 3 pages; the rest is left out",
  },
  {
    mode: "endless",
    options: { maxToolsPerServer: 5 },
    count: 5,
    problem: "it has more than 5 tools; the rest is left out",
  },
  { mode: "breaks", count: 2, problem: "page 2 of the tool list could not be read; its tools are missing" },
])("MCP-07: a list that $mode keeps $count tools: $problem", async ({ mode, options = {}, count, problem }) => {
  await using connection = await connectFixture("paginates.mjs", { args: [mode, "2"] }, options);
  expect(firstServer(connection).tools).toHaveLength(count);
  expect(connection.problems).toContainEqual({ server: "fixture", isServerLost: false, problem });
});

test("MCP-03: a server without tools keeps its resources and prompts", async () => {
  await using connection = await connectFixture("no-tools.mjs");
  expect(connection.problems).toEqual([]);
  const { tools, resources, prompts } = firstServer(connection);
  expect(tools).toEqual([]);
  expect(await resources?.list()).toEqual({ resources: [{ uri: "memo://one", odd: null }] });
  expect(await resources?.list({ cursor: "a" })).toEqual({ resources: [{ uri: "memo://one", odd: { cursor: "a" } }] });
  expect(await resources?.read({ uri: "memo://one" })).toEqual({
    contents: [{ uri: "memo://one", text: "first memo" }],
  });
  expect(await prompts?.list()).toEqual({ prompts: [{ name: "greet" }] });
  expect(await prompts?.get({ name: "greet" })).toEqual({ messages: [], description: "prompt greet" });
});

test("MCP-03: input of resources and prompts that is no object is refused before it is sent", async () => {
  await using connection = await connectFixture("no-tools.mjs");
  await expect(firstServer(connection).resources?.read("memo://one")).rejects.toMatchObject({
    code: "invalid_argument",
    message: 'The input of resources/read must be an object, not "memo://one".',
  });
});
