import { toJsonValue } from "@codemode/bridge";
import { renderOperation, type McpNamespacePlan, type McpOperationPlan } from "@codemode/mcp-declarations";
import { describeValue, type JsonValue, type McpOperation, type McpServerDescriptor } from "@codemode/protocol";
import type { McpFunction } from "./mcp-tools.js";

/** What each gives the guest: the list, which must be one, and what may come with it. */
const RESULTS: Readonly<Record<string, { readonly list: string; readonly also?: string }>> = {
  "resources/list": { list: "resources", also: "nextCursor" },
  "resources/read": { list: "contents" },
  "prompts/list": { list: "prompts", also: "nextCursor" },
  "prompts/get": { list: "messages", also: "description" },
};

/** One request for a server's resources or prompts as a tool, so that policy, approvals and audit see it as any call. */
export function mcpOperation(
  server: McpServerDescriptor,
  namespace: McpNamespacePlan,
  planned: McpOperationPlan,
): McpFunction {
  const { group, name } = planned;
  return {
    callableName: `MCP.${namespace.name}.${group}.${name}`,
    toolId: planned.id,
    claims: () => ({ declaration: renderOperation(planned) }),
    tool: {
      id: planned.id,
      name: `${group}/${name}`,
      description: "",
      parameters: { type: "object" },
      untrusted: server.trusted !== true,
      async execute(input, context) {
        const answer = await operationOf(server, planned)(input, context);
        return { details: nativeShape(`${group}/${name}`, answer) };
      },
    },
  };
}

function operationOf(server: McpServerDescriptor, { group, name }: McpOperationPlan): McpOperation {
  const operations = server[group] as Readonly<Record<string, McpOperation>> | undefined;
  const operation = operations?.[name];
  if (operation === undefined) throw new TypeError(`The MCP server has no ${group}/${name}.`);
  return operation.bind(operations);
}

/** Never the top-level `_meta`, nor anything else a server adds. */
function nativeShape(operation: string, result: unknown): JsonValue {
  const { list, also } = RESULTS[operation] as { list: string; also?: string };
  const fields = typeof result === "object" && result !== null ? (result as Record<string, unknown>) : {};
  if (!Array.isArray(fields[list])) {
    throw new TypeError(
      `The MCP server's answer to ${operation} has no ${list} array but ${describeValue(fields[list])}.`,
    );
  }
  const more = also === undefined ? undefined : fields[also];
  return toJsonValue({
    [list]: fields[list],
    ...(also !== undefined && typeof more === "string" ? { [also]: more } : {}),
  });
}
