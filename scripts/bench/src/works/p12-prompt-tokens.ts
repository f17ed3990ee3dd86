import { createCodeMode, type McpServerDescriptor, type ToolDescriptor } from "@codemode/core";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { asTool, readServerCases, type CaseServer } from "../cases.js";
import { interleave, type Contender } from "../interleave.js";
import { ratioOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const SIZES = [50, 100, 200, 400, 800];
const JUDGED = 400;
const LARGEST = 800;
const direct = (size: number) => `direct tools, ${size}`;
const asHostTools = (size: number) => `codemode, ${size} host tools`;
const asMcpTools = (size: number) => `codemode, ${size} MCP tools`;

export const promptTokens: Work = {
  id: "P12",
  title: "prompt tokens (o200k) of exec and wait beside direct tools, real catalogs together",
  async measure() {
    const contenders = SIZES.flatMap((size) => [
      tokens(asHostTools(size), (servers) => modelTools({ tools: hostTools(servers, size), mcp: [] })),
      tokens(asMcpTools(size), (servers) => modelTools({ tools: [], mcp: mcpServers(servers, size) })),
      tokens(direct(size), (servers) => hostTools(servers, size).map(asModelTool)),
    ]);
    const once = { warmUps: 0, maxSamples: 1, budgetMs: 0, turnMs: 0, now: () => 0, settle: async () => {} };
    const sides = toSides(await interleave(contenders, once), (name) => {
      const size = Number(/\d+/.exec(name)?.[0]);
      return name === direct(size)
        ? { role: "peer", unit: "tokens" }
        : { role: "ours", unit: "tokens", against: direct(size) };
    });
    const share = ratioOf(sides, asHostTools(JUDGED), direct(JUDGED));
    const growth = ratioOf(sides, asHostTools(LARGEST), asHostTools(JUDGED));
    const percent = share === undefined ? undefined : 100 * share;
    return {
      sides,
      targets: [
        atMost({ text: `of direct tools at ${JUDGED}`, actual: percent, limit: 3, unit: "%" }),
        atMost({ text: `${LARGEST} over ${JUDGED} tools`, actual: growth, limit: 1.05, unit: "x" }),
      ],
    };
  },
};

function tokens(name: string, toolsOf: (servers: readonly CaseServer[]) => unknown): Contender {
  return {
    name,
    async open() {
      const servers = readServerCases();
      return { measure: async () => countTokens(JSON.stringify(toolsOf(servers))), close: async () => {} };
    },
  };
}

function modelTools(given: { tools: readonly ToolDescriptor[]; mcp: readonly McpServerDescriptor[] }): unknown {
  const host = createCodeMode({ workers: { min: 0, max: 1 } });
  const run = host.openRun({ scope: { agentRunId: "bench" }, ...given });
  return run.modelTools;
}

function asModelTool({ name, description, parameters }: ToolDescriptor): unknown {
  return { name, description, parameters };
}

/** The first `size` tools of all servers; from the start again, under other names, when there are fewer. */
function hostTools(servers: readonly CaseServer[], size: number): readonly ToolDescriptor[] {
  const all = servers.flatMap(({ name, tools }) => tools.map((tool) => ({ server: name, tool })));
  return Array.from({ length: size }, (_, number) => {
    const found = all[number % all.length];
    if (found === undefined) throw new Error("no server has a tool");
    const round = Math.floor(number / all.length);
    const name = round === 0 ? found.tool.name : `${found.tool.name}_${round}`;
    return { ...asTool(found.tool), name, id: `${found.server}:${number}` };
  });
}

/** The same tools, each with its server. */
function mcpServers(servers: readonly CaseServer[], size: number): readonly McpServerDescriptor[] {
  const byServer = new Map<string, ToolDescriptor[]>();
  for (const tool of hostTools(servers, size)) {
    const server = tool.id?.split(":")[0] ?? "";
    byServer.set(server, [...(byServer.get(server) ?? []), tool]);
  }
  return [...byServer].map(([name, tools]) => ({
    name,
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: tool.parameters })),
    callTool: async () => ({ content: [] }),
  }));
}
