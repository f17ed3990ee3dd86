import type { FrontSurface } from "@codemode/mcp";
import type { McpServerDescriptor } from "@codemode/protocol";

/** Tokens of what a model sees in front of MCP servers, beside those of the servers' own tools. */
export interface SurfaceSize {
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  /** Of the text that clients may show beside the tools. */
  readonly instructions: number;
  /** Tools and instructions. */
  readonly total: number;
  readonly servers: readonly {
    /** As configured. */
    readonly server: string;
    /** Under `MCP`. */
    readonly namespace: string;
    readonly tools: number;
    readonly tokens: number;
  }[];
  /** All tools of all servers, shown directly. */
  readonly direct: number;
}

/** Counts names, descriptions and input schemas as JSON, as they go to a model. */
export function measureSurface(
  surface: FrontSurface,
  servers: readonly McpServerDescriptor[],
  countTokens: (text: string) => number,
): SurfaceSize {
  const ofTool = ({ name, description = "", inputSchema }: Tool): number =>
    countTokens(JSON.stringify({ name, description, inputSchema }));
  const tools = surface.tools.map((tool) => ({ name: tool.name, tokens: ofTool(tool) }));
  const instructions = countTokens(surface.instructions);
  const rows = servers.map((server) => ({
    server: server.name,
    namespace: surface.namespaces.find((one) => one.server === server.name)?.name ?? "",
    tools: server.tools.length,
    tokens: sum(server.tools.map(ofTool)),
  }));
  return {
    tools,
    instructions,
    total: sum(tools.map(({ tokens }) => tokens)) + instructions,
    servers: rows,
    direct: sum(rows.map(({ tokens }) => tokens)),
  };
}

interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
