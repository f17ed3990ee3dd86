import { assignNames } from "@codemode/catalog";
import { describeValue, type McpServerDescriptor, type McpToolDescriptor } from "@codemode/protocol";
import { isReservedFunction, isReservedNamespace, memberName } from "./member-name.js";
import type { McpFunctionPlan, McpNamespacePlan, McpOperationPlan, McpProblem } from "./plan.js";

const MAX_ALIAS_CHARS = 512;

/**
 * One namespace per server and one function per tool, with names that are distinct, safe, and the same whatever the
 * order of servers and tools. Names given in `previous` are kept and never pass to another server or tool.
 *
 * Untrusted: what has no usable name, or one that came before, is left out with a problem.
 */
export function planNamespaces(
  servers: readonly McpServerDescriptor[],
  previous: readonly McpNamespacePlan[],
): { readonly namespaces: readonly McpNamespacePlan[]; readonly problems: readonly McpProblem[] } {
  const problems: McpProblem[] = [];
  const distinct = distinctServers(servers, problems);
  const members = nameMembers(
    distinct.map((server) => ({ id: serverId(server.name), name: server.name })),
    previous.map((plan) => ({ id: serverId(plan.server), name: plan.name, aliases: plan.aliases })),
    isReservedNamespace,
  );
  const namespaces = distinct.map((server, position): McpNamespacePlan => {
    const earlier = previous.find((plan) => plan.server === server.name);
    return {
      server: server.name,
      name: members[position]?.name ?? "",
      aliases: members[position]?.aliases ?? [],
      functions: planFunctions(server, earlier?.functions ?? [], problems),
      operations: planOperations(server),
    };
  });
  return { namespaces, problems };
}

function planFunctions(
  server: McpServerDescriptor,
  previous: readonly McpFunctionPlan[],
  problems: McpProblem[],
): readonly McpFunctionPlan[] {
  const tools = distinctTools(server, problems).map((tool) => ({ id: toolId(server.name, tool.name), tool }));
  const members = nameMembers(
    tools.map(({ id, tool }) => ({ id, name: tool.name })),
    previous,
    isReservedFunction,
  );
  return tools.map(({ id, tool }, position) => ({
    id,
    name: members[position]?.name ?? "",
    aliases: members[position]?.aliases ?? [],
    tool,
  }));
}

const OPERATIONS = [
  ["resources", "list"],
  ["resources", "read"],
  ["prompts", "list"],
  ["prompts", "get"],
] as const;

/** Two colons: no name of a tool, in which colons are escaped, gives the id of one. */
function planOperations(server: McpServerDescriptor): readonly McpOperationPlan[] {
  return OPERATIONS.filter(([group]) => server[group] !== undefined).map(([group, name]) => ({
    id: `${serverId(server.name)}::${group}/${name}`,
    group,
    name,
  }));
}

interface Member {
  readonly name: string;
  readonly aliases: string[];
}

/** Names and aliases, in the order given. */
function nameMembers(
  wanted: readonly { readonly id: string; readonly name: string }[],
  previous: readonly (Member & { readonly id: string })[],
  isReserved: (name: string) => boolean,
): readonly Member[] {
  const ownerOfAlias = new Map(previous.flatMap(({ id, aliases }) => aliases.map((alias) => [alias, id] as const)));
  const assigned = new Map(previous.map(({ id, name }) => [id, name]));
  const names = assignNames(
    wanted.map(({ id, name }) => ({ id, name, suggested: memberName(name) })),
    { isReserved: (name) => isReserved(name) || ownerOfAlias.has(name), assigned },
  );
  const taken = new Set([...names.values(), ...assigned.values()]);
  return wanted.map(({ id, name }) => {
    const isFree = !taken.has(name) && !isReserved(name) && (ownerOfAlias.get(name) ?? id) === id;
    return { name: names.get(id) ?? "", aliases: isFree && name.length <= MAX_ALIAS_CHARS ? [name] : [] };
  });
}

function distinctServers(servers: readonly McpServerDescriptor[], problems: McpProblem[]): McpServerDescriptor[] {
  const seen = new Set<string>();
  return servers.filter((server: McpServerDescriptor | null | undefined): server is McpServerDescriptor => {
    const name: unknown = server?.name;
    if (server === null || server === undefined || typeof name !== "string") {
      const shown = describeValue(name);
      problems.push({ server: shown, problem: `A server's name is ${shown}; the server is left out.` });
      return false;
    }
    if (!Array.isArray(server.tools)) {
      problems.push({ server: name, problem: `The tools are ${describeValue(server.tools)}; the server is left out.` });
      return false;
    }
    if (seen.has(server.name)) {
      problems.push({ server: server.name, problem: "A server of this name came before; this one is left out." });
      return false;
    }
    seen.add(server.name);
    return true;
  });
}

function distinctTools(server: McpServerDescriptor, problems: McpProblem[]): McpToolDescriptor[] {
  const seen = new Set<string>();
  return server.tools.filter((tool: McpToolDescriptor | null | undefined): tool is McpToolDescriptor => {
    const name: unknown = tool?.name;
    if (typeof name !== "string") {
      problems.push({ server: server.name, problem: `A tool's name is ${describeValue(name)}; the tool is left out.` });
      return false;
    }
    if (seen.has(name)) {
      problems.push({
        server: server.name,
        tool: name,
        problem: "A tool of this name came before; this one is left out.",
      });
      return false;
    }
    seen.add(name);
    return true;
  });
}

function serverId(server: string): string {
  return `mcp:${escaped(server)}`;
}

/** Unambiguous: a colon inside a name is escaped. */
function toolId(server: string, tool: string): string {
  return `${serverId(server)}:${escaped(tool)}`;
}

function escaped(name: string): string {
  return name.replaceAll("\\", "\\\\").replaceAll(":", "\\:");
}
