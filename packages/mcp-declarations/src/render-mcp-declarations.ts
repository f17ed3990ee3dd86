import type { ApiFile, McpServerDescriptor } from "@codemode/protocol";
import { apiFile, countOf, INDEX_PATH, pathOf, renderIndex } from "./api-files.js";
import { planNamespaces } from "./plan-namespaces.js";
import type { McpNamespacePlan, McpProblem } from "./plan.js";
import { renderServer, serverTitle } from "./render-server.js";

export interface McpDeclarationsOptions {
  /** Namespaces of an earlier rendering in the same run: their names stay with their servers and tools. */
  readonly previous?: readonly McpNamespacePlan[];
}

export interface McpDeclarations {
  /** `mcp/index.d.ts` and one `mcp/<namespace>.d.ts` per server; none without servers. */
  readonly files: readonly ApiFile[];
  readonly namespaces: readonly McpNamespacePlan[];
  readonly problems: readonly McpProblem[];
}

/** Work on the schemas of all servers, in the units of `renderTypeDeclaration`. */
const MAX_WORK = 300_000;

/**
 * Namespaces and TypeScript declarations of MCP servers' tools, as files a guest can read.
 *
 * Untrusted: names, descriptions and schemas are the servers'. Every file compiles, alone and with the others; text
 * cannot leave its comment; sizes and time are bounded, and a file says what was cut. One bad schema costs one tool its types.
 */
export function renderMcpDeclarations(
  servers: readonly McpServerDescriptor[],
  options: McpDeclarationsOptions = {},
): McpDeclarations {
  const { namespaces, problems } = planNamespaces(servers, options.previous ?? []);
  if (namespaces.length === 0) return { files: [], namespaces, problems };
  const files: ApiFile[] = [apiFile(INDEX_PATH, "The MCP servers and their functions.", renderIndex(namespaces))];
  const found = [...problems];
  const budget = { left: MAX_WORK };
  for (const plan of namespaces) {
    const rendered = renderServer(plan, budget);
    found.push(...rendered.problems);
    files.push(apiFile(pathOf(plan), `${serverTitle(plan)}: ${countOf(plan.functions.length)}.`, rendered.content));
  }
  return { files, namespaces, problems: found };
}
