import { createHash } from "node:crypto";
import {
  buildCatalog,
  describeEntry,
  searchCatalog,
  type Catalog,
  type CatalogEntry,
  type CatalogOptions,
} from "@codemode/catalog";
import {
  renderMcpDeclarations,
  type McpDeclarations,
  type McpNamespacePlan,
  type McpProblem,
} from "@codemode/mcp-declarations";
import {
  describeValue,
  type GuestFunction,
  type GuestNamespace,
  type GuestSurface,
  type GuestTool,
  type McpServerDescriptor,
  type ToolDescriptor,
} from "@codemode/protocol";
import { mcpOperation } from "./mcp-operations.js";
import { mcpFunction, type McpFunction } from "./mcp-tools.js";

/** The link from a guest callable to its tool. Its place in the table is the number requests name it by. */
export interface Binding {
  /** As the guest calls it. */
  readonly callableName: string;
  /** Host-only routing identity. */
  readonly toolId: string;
  readonly source: string;
  readonly tool: ToolDescriptor;
  readonly isMcp: boolean;
  /** What `handle.describe()` gives; JSON-able. */
  describe(): unknown;
}

/**
 * The tools of a run as one finished table: what the guest sees and what its requests mean. Never changes; a run that
 * gets other tools gets another projection.
 */
export interface Projection {
  readonly catalog: Catalog;
  readonly surface: GuestSurface;
  readonly bindings: readonly Binding[];
  /** Tools by source label. Requests for resources and prompts are none. */
  readonly sources: Readonly<Record<string, number>>;
  readonly namespaces: readonly McpNamespacePlan[];
  readonly mcpProblems: readonly McpProblem[];
  /** What is searched: the catalog, or one that has the MCP tools too. */
  readonly searched: Catalog;
  /** Whether a search costs only what its words touch. */
  isSearchReady(): boolean;
  /** Reads the catalog for searches; the host does other things in between. */
  prepareSearch(): Promise<void>;
  /** Numbers of the matching bindings, best first. */
  search(query: string, limit: number): readonly number[];
}

export interface ProjectionOptions {
  readonly hostLabel: string;
  readonly catalogIncludesMcp: boolean;
  /** What other runs of the host have made already. Absent: nothing is shared. */
  readonly shared?: SharedProjections;
}

/** Projections of a host's runs. */
export interface SharedProjections {
  /** The one made from the very same descriptors, else what `make` gives. */
  of(given: ProjectedTools, options: ProjectionOptions, make: () => Projection): Projection;
}

export interface ProjectedTools {
  readonly tools: readonly ToolDescriptor[];
  readonly servers: readonly McpServerDescriptor[];
  /** The run's projection before: a name that was given stays with its tool, and what is known of a tool is kept. */
  readonly previous?: Projection;
}

/** @throws {CodeModeError} `invalid_argument` for tools that cannot be told apart. */
export function buildProjection(given: ProjectedTools, options: ProjectionOptions): Projection {
  const make = (): Projection => makeProjection(given, options);
  return options.shared === undefined ? make() : options.shared.of(given, options, make);
}

function makeProjection({ tools, servers, previous }: ProjectedTools, options: ProjectionOptions): Projection {
  const catalog = buildCatalog(tools, withPrevious(options, previous?.catalog));
  const declarations = renderMcpDeclarations(servers, { previous: previous?.namespaces ?? [] });
  const { functions, operations } = planFunctions(servers, declarations.namespaces);
  const toolBindings = [...catalog.entries.map(entryBinding), ...functions.map(mcpBinding)];
  const bindings = [...toolBindings, ...operations.map(mcpBinding)];
  const searched = options.catalogIncludesMcp
    ? buildCatalog([...tools, ...functions.map(searchedTool)], withPrevious(options, previous?.searched))
    : catalog;
  const mcpTools = options.catalogIncludesMcp ? guestMcpTools(functions, searched, catalog.entries.length) : [];
  const numberOf = new Map(bindings.map((binding, index) => [binding.toolId, index]));
  return {
    catalog,
    bindings,
    surface: buildSurface(catalog, declarations, mcpTools),
    sources: countSources(toolBindings),
    namespaces: declarations.namespaces,
    mcpProblems: declarations.problems,
    searched,
    isSearchReady: () => searched.index.isReady(),
    prepareSearch: () => searched.index.prepare(nextTurn),
    search: (query, limit) =>
      searchCatalog(searched, query, { limit }).flatMap((entry) => numberOf.get(entry.id) ?? []),
  };
}

/** Functions for tools, and those for resources and prompts, both in the order of the namespaces. */
function planFunctions(
  servers: readonly McpServerDescriptor[],
  namespaces: readonly McpNamespacePlan[],
): { readonly functions: McpFunction[]; readonly operations: McpFunction[] } {
  // The first server of a name is the one that was planned.
  const byName = new Map(servers.map((server) => [server.name, server] as const).reverse());
  const planned = namespaces.map((namespace) => {
    const server = byName.get(namespace.server);
    if (server === undefined) throw new TypeError(`No MCP server is named ${describeValue(namespace.server)}.`);
    return { namespace, server };
  });
  return {
    functions: planned.flatMap(({ namespace, server }) =>
      namespace.functions.map((one) => mcpFunction(server, namespace, one)),
    ),
    operations: planned.flatMap(({ namespace, server }) =>
      namespace.operations.map((one) => mcpOperation(server, namespace, one)),
    ),
  };
}

function entryBinding(entry: CatalogEntry): Binding {
  return {
    callableName: entry.callableName,
    toolId: entry.id,
    source: entry.source,
    tool: entry.descriptor,
    isMcp: false,
    describe: () => describeEntry(entry),
  };
}

function mcpBinding({ callableName, toolId, tool, claims }: McpFunction): Binding {
  return {
    callableName,
    toolId,
    source: "mcp",
    tool,
    isMcp: true,
    describe: () => ({
      name: tool.name,
      callableName,
      description: tool.description,
      source: "mcp",
      parameters: tool.parameters,
      ...claims(),
    }),
  };
}

function withPrevious({ hostLabel }: ProjectionOptions, previous: Catalog | undefined): CatalogOptions {
  return previous === undefined ? { hostLabel } : { hostLabel, previous };
}

/**
 * An MCP function as a tool of the one catalog to search in: ranks of two catalogs cannot be compared. The guest's name
 * makes it unique.
 */
function searchedTool({ tool, callableName }: McpFunction): ToolDescriptor {
  return { ...tool, name: callableName };
}

/** Lets everything that waits for the event loop go first. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function buildSurface(catalog: Catalog, declarations: McpDeclarations, mcpTools: readonly GuestTool[]): GuestSurface {
  const mcp = guestNamespaces(declarations.namespaces, catalog.entries.length);
  const apiFiles = [...declarations.files];
  const content = JSON.stringify([catalog.fingerprint, mcpTools, mcp, apiFiles]);
  return {
    fingerprint: createHash("sha256").update(content).digest("hex"),
    tools: [...catalog.entries.map(guestTool), ...mcpTools],
    mcp,
    apiFiles,
  };
}

function guestTool(entry: CatalogEntry, binding: number): GuestTool {
  return {
    binding,
    callableName: entry.callableName,
    toolName: entry.toolName,
    ...(entry.label === undefined ? {} : { label: entry.label }),
    description: entry.description,
    source: entry.source,
    input: entry.input,
    ...(entry.output === undefined ? {} : { output: entry.output }),
    isGlobal: true,
  };
}

/** Handles for searched MCP functions. Their schemas are untrusted, so they carry no hints. */
function guestMcpTools(functions: readonly McpFunction[], searched: Catalog, firstBinding: number): GuestTool[] {
  const byId = new Map(searched.entries.map((entry) => [entry.id, entry]));
  return functions.map(({ callableName, toolId, tool }, index) => ({
    binding: firstBinding + index,
    callableName,
    toolName: tool.name,
    description: byId.get(toolId)?.description ?? "",
    source: "mcp",
    input: "unknown",
    isGlobal: false,
  }));
}

/** Numbers go on from the catalog's: first all functions for tools, then those for resources and prompts. */
function guestNamespaces(namespaces: readonly McpNamespacePlan[], firstBinding: number): GuestNamespace[] {
  let binding = firstBinding;
  let operation = firstBinding + namespaces.reduce((count, { functions }) => count + functions.length, 0);
  return namespaces.map(({ name, aliases, functions, operations }) => {
    const groups = new Map<string, GuestFunction[]>();
    for (const one of operations) {
      const row = { name: one.name, aliases: [], binding: operation++ };
      groups.set(one.group, [...(groups.get(one.group) ?? []), row]);
    }
    return {
      name,
      aliases: [...aliases],
      functions: functions.map((one) => ({ name: one.name, aliases: [...one.aliases], binding: binding++ })),
      ...(groups.size === 0
        ? {}
        : { groups: [...groups].map(([group, members]) => ({ name: group, functions: members })) }),
    };
  });
}

function countSources(bindings: readonly Binding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { source } of bindings) counts[source] = (counts[source] ?? 0) + 1;
  return counts;
}
