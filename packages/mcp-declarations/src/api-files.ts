import type { ApiFile } from "@codemode/protocol";
import type { McpNamespacePlan } from "./plan.js";
import { serverTitle } from "./render-server.js";

export const INDEX_PATH = "mcp/index.d.ts";
const MAX_INDEX_CHARS = 32 * 1024;

/** Path of a server's file; the namespace is an identifier, so it has no slash and no dots. */
export function pathOf(plan: McpNamespacePlan): string {
  return `mcp/${plan.name}.d.ts`;
}

export function apiFile(path: string, description: string, content: string): ApiFile {
  return { path, description, content, bytes: new TextEncoder().encode(content).byteLength };
}

/** The file that lists the servers and their functions, as comments; what does not fit is counted. */
export function renderIndex(plans: readonly McpNamespacePlan[]): string {
  const lines = [
    "// MCP servers of this run. A server's file declares its functions with their types:",
    '// await API.read("mcp/<name>.d.ts"). Call them as MCP.<name>.<function>(input), with one object.',
  ];
  let chars = lines.join("\n").length;
  let omitted = 0;
  for (const plan of plans) {
    const entry = [
      "//",
      `// MCP.${plan.name}: ${serverTitle(plan)}, ${countOf(plan.functions.length)}, ${pathOf(plan)}`,
      ...functionLines(plan),
    ];
    const length = entry.join("\n").length + 1;
    if (chars + length > MAX_INDEX_CHARS) {
      omitted += 1;
      continue;
    }
    lines.push(...entry);
    chars += length;
  }
  if (omitted > 0) lines.push("//", `// Cut: ${omitted} more servers; API.list("mcp") names their files.`);
  return `${lines.join("\n")}\n`;
}

export function countOf(functions: number): string {
  return functions === 1 ? "1 function" : `${functions} functions`;
}

const MAX_LISTED = 60;
const PER_LINE = 8;

function functionLines(plan: McpNamespacePlan): readonly string[] {
  const names = plan.functions.slice(0, MAX_LISTED).map((entry) => entry.name);
  const lines: string[] = [];
  for (let start = 0; start < names.length; start += PER_LINE) {
    lines.push(`//   ${names.slice(start, start + PER_LINE).join(", ")}`);
  }
  const more = plan.functions.length - names.length;
  return more > 0 ? [...lines, `//   and ${more} more: Object.keys(MCP.${plan.name})`] : lines;
}
