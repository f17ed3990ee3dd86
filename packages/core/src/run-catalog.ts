import type { McpServerDescriptor, ModelTool, ToolDescriptor } from "@codemode/protocol";
import { createTelemetry, type Telemetry } from "@codemode/telemetry";
import { narrowServers } from "./mcp-tools.js";
import { buildModelTools, type ModelSurfaceOptions } from "./model-surface.js";
import { buildProjection, type Projection, type ProjectionOptions } from "./projection.js";
import type { CatalogState } from "./run-context.js";

const NOTHING = { tools: [], servers: [] };

export interface RunCatalogOptions extends ProjectionOptions, ModelSurfaceOptions {
  readonly tools: readonly ToolDescriptor[];
  readonly servers: readonly McpServerDescriptor[];
  readonly newId: () => string;
  /** Whether code mode owns the tools. They are left alone and no catalog is made of them while it does not. */
  readonly isEngaged: boolean;
}

/** The tools of a run as they change: what cells and the model see now, and the counters that go with it. */
export interface RunCatalog {
  current(): CatalogState;
  modelTools(): readonly ModelTool[];
  /** As supplied, for a run that is not engaged. */
  tools(): readonly ToolDescriptor[];
  append(tools: readonly ToolDescriptor[]): void;
  replace(tools: readonly ToolDescriptor[]): void;
  replaceServers(replacement: readonly McpServerDescriptor[]): void;
  narrow(allow: (name: string) => boolean): void;
  /** Lets go of all tools, for good. The counters stay, and so does what the model was told. */
  release(): void;
  /** Bridge calls over all counter scopes of the run. */
  bridgeCalls(): ReturnType<Telemetry["bridgeCalls"]>;
}

export function createRunCatalog(options: RunCatalogOptions): RunCatalog {
  let { tools, servers } = options;
  const { isEngaged } = options;
  let isReleased = false;
  let projection = buildProjection(isEngaged ? { tools, servers } : NOTHING, options);
  let modelTools = buildModelTools(projection, options);
  let telemetry = newTelemetry(projection, options.newId);
  const scopes = [telemetry];

  function project(): void {
    if (!isEngaged) return;
    projection = buildProjection({ tools, servers, previous: projection }, options);
    modelTools = buildModelTools(projection, options);
  }

  /** Within the counter scope. */
  function projectOn(): void {
    project();
    telemetry.updateCatalog(catalogSizeOf(projection), projection.sources);
  }

  return {
    current: () => ({ projection, telemetry }),
    modelTools: () => modelTools,
    tools: () => tools,
    append(added) {
      if (isReleased) return;
      tools = [...tools, ...added];
      projectOn();
    },
    replace(replacement) {
      if (isReleased) return;
      tools = [...replacement];
      project();
      telemetry = newTelemetry(projection, options.newId);
      scopes.push(telemetry);
    },
    replaceServers(replacement) {
      if (isReleased) return;
      servers = [...replacement];
      projectOn();
    },
    narrow(allow) {
      if (isReleased) return;
      tools = tools.filter(({ name }) => allow(name));
      servers = narrowServers(servers, allow);
      projectOn();
    },
    release() {
      isReleased = true;
      tools = [];
      servers = [];
      const { mcpProblems } = projection;
      projection = { ...buildProjection(NOTHING, options), mcpProblems };
    },
    bridgeCalls() {
      const total = { search: 0, describe: 0, call: 0 };
      for (const scope of scopes) {
        const { search, describe, call } = scope.bridgeCalls();
        total.search += search;
        total.describe += describe;
        total.call += call;
      }
      return total;
    },
  };
}

function newTelemetry(projection: Projection, newId: () => string): Telemetry {
  return createTelemetry({ newId, catalogSize: catalogSizeOf(projection), sources: projection.sources });
}

function catalogSizeOf({ sources }: Projection): number {
  return Object.values(sources).reduce((sum, count) => sum + count, 0);
}
