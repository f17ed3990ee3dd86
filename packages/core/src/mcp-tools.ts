import { applyDefaults } from "@codemode/json-schema";
import { renderFunctionDeclaration, type McpNamespacePlan } from "@codemode/mcp-declarations";
import {
  describeValue,
  type ContentBlock,
  type JsonSchema,
  type JsonValue,
  type McpCallResult,
  type McpServerDescriptor,
  type McpToolDescriptor,
  type ToolDescriptor,
  type ToolOutcome,
} from "@codemode/protocol";

/** One function of an MCP namespace as a tool, so that it goes through the same executor as every other call. */
export interface McpFunction {
  /** `MCP.<namespace>.<function>`, as the guest calls it. */
  readonly callableName: string;
  readonly toolId: string;
  readonly tool: ToolDescriptor;
  /** What else its description says: the server's claims. */
  claims(): { readonly declaration: string; readonly outputSchema?: JsonSchema };
}

type PlannedFunction = McpNamespacePlan["functions"][number];

export function mcpFunction(
  server: McpServerDescriptor,
  namespace: McpNamespacePlan,
  planned: PlannedFunction,
): McpFunction {
  return {
    callableName: `MCP.${namespace.name}.${planned.name}`,
    toolId: planned.id,
    claims: () => ({
      declaration: renderFunctionDeclaration(planned),
      ...(planned.tool.outputSchema === undefined ? {} : { outputSchema: planned.tool.outputSchema }),
    }),
    tool: {
      id: planned.id,
      name: planned.tool.name,
      description: planned.tool.description ?? "",
      parameters: planned.tool.inputSchema,
      untrusted: server.trusted !== true,
      execute: callThrough(server, planned.tool),
    },
  };
}

function callThrough(server: McpServerDescriptor, tool: McpToolDescriptor): ToolDescriptor["execute"] {
  return async (input, context): Promise<ToolOutcome> => {
    const args = applyDefaults(tool.inputSchema, input) as Record<string, unknown>;
    const result = await server.callTool(tool.name, args, context);
    return { details: guestResult(result), content: contentOf(result) };
  };
}

/** What the guest gets: never the top-level `_meta`, nor anything else a server adds. */
function guestResult(result: McpCallResult): JsonValue {
  const shown = {
    content: contentOf(result),
    ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
    ...(result.isError === undefined ? {} : { isError: result.isError }),
  };
  return shown as JsonValue;
}

function contentOf(result: McpCallResult): readonly ContentBlock[] {
  const content: unknown = typeof result === "object" && result !== null ? result.content : undefined;
  if (Array.isArray(content)) return content as readonly ContentBlock[];
  throw new TypeError(`The MCP server's result has no content array but ${describeValue(content)}.`);
}

/**
 * The servers with only the tools that `allow` accepts, by `MCP.<configured server name>.<raw tool name>`, and with
 * resources and prompts only where it accepts `MCP.<configured server name>.resources` and `.prompts`.
 */
export function narrowServers(
  servers: readonly McpServerDescriptor[],
  allow: (name: string) => boolean,
): McpServerDescriptor[] {
  return servers.map((server) => ({
    name: server.name,
    ...(server.trusted === undefined ? {} : { trusted: server.trusted }),
    tools: toolsOf(server).filter((tool) => allow(`MCP.${server.name}.${tool.name}`)),
    callTool: (name, args, context) => server.callTool(name, args, context),
    ...(server.resources === undefined || !allow(`MCP.${server.name}.resources`)
      ? {}
      : { resources: server.resources }),
    ...(server.prompts === undefined || !allow(`MCP.${server.name}.prompts`) ? {} : { prompts: server.prompts }),
  }));
}

/** A descriptor may come from anywhere; one without a list has no tools. */
function toolsOf(server: McpServerDescriptor): McpServerDescriptor["tools"] {
  const tools: unknown = server.tools;
  return Array.isArray(tools) ? (tools as McpServerDescriptor["tools"]) : [];
}
