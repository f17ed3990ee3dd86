import type { McpNamespaceSummary } from "@codemode/core";

/** Longest list of servers in a text for the model, in characters. */
const MAX_LIST_CHARS = 2_000;

/** What a client may tell its model about the front as a whole. The servers are named in the description of exec. */
export function renderInstructions(serverCount: number): string {
  const servers = serverCount === 1 ? "1 MCP server" : `${serverCount} MCP servers`;
  return [
    `Use exec to work with the tools of ${servers}: one small program calls as many of them as it needs, filters and ` +
      "joins their results, and returns only what you want to read. Prefer one exec with several calls to several execs " +
      "with one.",
    'A result with status "waiting" is not the end: call wait with its runId until the status is another.',
  ].join("\n");
}

/** The description of exec with the servers there are now. */
export function withServers(description: string, servers: readonly McpNamespaceSummary[]): string {
  return servers.length === 0 ? description : `${description}\n- ${serverList(servers)}`;
}

/** Names are identifiers derived from the configuration. */
function serverList(servers: readonly McpNamespaceSummary[]): string {
  const entries: string[] = [];
  let chars = 0;
  for (const { name, functions } of servers) {
    const entry = `MCP.${name} (${functions === 1 ? "1 function" : `${functions} functions`})`;
    chars += entry.length + 2;
    if (chars > MAX_LIST_CHARS) break;
    entries.push(entry);
  }
  const left = servers.length - entries.length;
  return `Servers: ${entries.join(", ")}${left === 0 ? "." : `, and ${left} more.`}`;
}
