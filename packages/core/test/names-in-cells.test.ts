import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { McpServerDescriptor, ToolDescriptor } from "@codemode/protocol";
import { buildProjection, type Projection } from "../src/projection.js";
import { readNameCases, readRealNames, type NamesByServer } from "./fakes/case-names.js";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { tool } from "./fakes/test-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

const realNames = readRealNames();
const unavailable = " (no catalogs: set CODEMODE_CASES to a folder that has mcp-catalogs/)";

describe.each([
  ["names that broke other systems", readNameCases()],
  [`names of public MCP servers${realNames === undefined ? unavailable : ""}`, realNames],
])("%s", { timeout: 60_000 }, (_title, names) => {
  test.skipIf(names === undefined)("NAME-01, NAME-02: each is called from a cell as a global", async () => {
    const tools = hostTools(names ?? new Map());
    await using run = real.openRun({ tools });
    const bindings = buildProjection({ tools, servers: [] }, options).bindings;
    const calls = bindings.map(({ callableName }) => `called.push(await ${callableName}({ n: called.length }));`);
    const result = await run.exec({ code: `const called = [];\n${calls.join("\n")}\nreturn called;` });
    const expected = tools.map(({ name }, n) => ({ name, n }));
    expect(result).toMatchObject({ status: "completed", value: expected });
  });

  test.skipIf(names === undefined)(
    "NAME-01, MCP-12: each is called from a cell as a member of its server",
    async () => {
      const servers = mcpServers(names ?? new Map());
      await using run = real.openRun({ mcp: servers });
      const { surface } = buildProjection({ tools: [], servers }, options);
      const calls = surface.mcp.flatMap((namespace) =>
        namespace.functions.flatMap(({ name, aliases }) => [
          `called.push((await MCP.${namespace.name}.${name}({})).content[0].text);`,
          ...aliases.map((alias) => `MCP[${JSON.stringify(namespace.name)}][${JSON.stringify(alias)}] ?? missing();`),
        ]),
      );
      const result = await run.exec({ code: `const called = [];\n${calls.join("\n")}\nreturn called;` });
      const expected = servers.flatMap(({ name, tools }) => tools.map((listed) => `${name} ${listed.name}`));
      expect(result).toMatchObject({ status: "completed", value: expected });
    },
  );

  test.skipIf(names === undefined)("NAME-01: a hundred orders give the same names", () => {
    const [tools, servers] = [hostTools(names ?? new Map()), mcpServers(names ?? new Map())];
    const expected = namesIn(buildProjection({ tools, servers }, options));
    expect(expected.size).toBe(tools.length + servers.flatMap((server) => server.tools).length);
    const random = seededRandom(7);
    for (let round = 0; round < 100; round += 1) {
      const shuffledServers = shuffled(servers, random).map((server) => ({
        ...server,
        tools: shuffled(server.tools, random),
      }));
      const projection = buildProjection({ tools: shuffled(tools, random), servers: shuffledServers }, options);
      expect(namesIn(projection)).toEqual(expected);
    }
  });
});

const options = { hostLabel: "host", catalogIncludesMcp: false };

/** One tool per name; it gives its name and its input back. */
function hostTools(names: NamesByServer): readonly ToolDescriptor[] {
  const distinct = new Set([...names.values()].flat());
  return [...distinct].map((name) => tool(name, (input: object) => ({ name, ...input })));
}

function mcpServers(names: NamesByServer): readonly McpServerDescriptor[] {
  return [...names].map(([server, tools]) => ({
    name: server,
    tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
    callTool: async (name) => ({ content: [{ type: "text", text: `${server} ${name}` }] }),
  }));
}

/** What each tool is called, by its identity. */
function namesIn({ bindings }: Projection): ReadonlyMap<string, string> {
  return new Map(bindings.map(({ toolId, callableName }) => [toolId, callableName]));
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}

/** Numbers from 0 to below 1, the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}
