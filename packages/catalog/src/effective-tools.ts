import { CodeModeError, describeValue, type ToolDescriptor } from "@codemode/protocol";
import type { OmittedTool } from "./catalog.js";

/** Tools that steer a model's tool use; calling one from a cell would recurse. A host's shell tool `exec` is not one. */
const CONTROL_NAMES: ReadonlySet<string> = new Set([
  "wait",
  "tool_search_code",
  "tool_search",
  "tool_describe",
  "tool_call",
]);

/** One tool with its host-only identity. */
export interface EffectiveTool {
  readonly id: string;
  readonly source: "host" | "client";
  readonly descriptor: ToolDescriptor;
}

/**
 * One winner per exact name: a client tool shadows a host tool, otherwise the first stays. Winners keep their order.
 *
 * @throws {CodeModeError} `invalid_argument` for a name that is no text, and for two winners with one id.
 */
export function effectiveTools(tools: readonly ToolDescriptor[]): {
  readonly winners: readonly EffectiveTool[];
  readonly omitted: readonly OmittedTool[];
} {
  const byName = new Map<string, { readonly tool: EffectiveTool; readonly position: number }>();
  const omitted: OmittedTool[] = [];
  for (const [position, descriptor] of tools.entries()) {
    const tool = identified(descriptor, position);
    const toolName = descriptor.name;
    const earlier = byName.get(toolName);
    if (CONTROL_NAMES.has(toolName)) omitted.push({ toolName, reason: "control" });
    else if (earlier === undefined) byName.set(toolName, { tool, position });
    else if (earlier.tool.source === "host" && tool.source === "client") {
      omitted.push({ toolName, reason: "shadowed" });
      byName.set(toolName, { tool, position });
    } else omitted.push({ toolName, reason: "duplicate" });
  }
  const winners = [...byName.values()].sort((left, right) => left.position - right.position).map(({ tool }) => tool);
  assertDistinctIds(winners);
  return { winners, omitted };
}

function identified(descriptor: ToolDescriptor, position: number): EffectiveTool {
  if (typeof descriptor.name !== "string") {
    const path = `tools[${position}].name`;
    throw new CodeModeError("invalid_argument", `${path} must be a string.`, { path, problem: "must be a string" });
  }
  const source = descriptor.source ?? "host";
  return { id: descriptor.id ?? `${source}:${descriptor.name}`, source, descriptor };
}

function assertDistinctIds(winners: readonly EffectiveTool[]): void {
  const seen = new Set<string>();
  for (const { id, descriptor } of winners) {
    if (seen.has(id)) {
      const problem = "two tools have the same id";
      throw new CodeModeError(
        "invalid_argument",
        `tools: ${problem}; give ${describeValue(descriptor.name)} its own.`,
        {
          path: "tools",
          problem,
        },
      );
    }
    seen.add(id);
  }
}
