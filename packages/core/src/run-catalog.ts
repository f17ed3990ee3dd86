import type { McpServerDescriptor, ModelTool, ToolDescriptor } from "@codemode/protocol";
import { createTelemetry, type Telemetry } from "@codemode/telemetry";
import { narrowServers } from "./mcp-tools.js";
import { buildModelTools, type ModelSurfaceOptions } from "./model-surface.js";
import { buildProjection, type Projection, type ProjectionOptions } from "./projection.js";
import type { CatalogState } from "./run-context.js";

export interface RunCatalogOptions extends ProjectionOptions, ModelSurfaceOptions {
  readonly tools: readonly ToolDescriptor[];
  readonly servers: readonly McpServerDescriptor[];
  readonly newId: () => string;
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
  /** Bridge calls over all counter scopes of the run. */
  bridgeCalls(): ReturnType<Telemetry["bridgeCalls"]>;
}

export function createRunCatalog(options: RunCatalogOptions): RunCatalog {
  let { tools, servers } = options;
  let projection = buildProjection({ tools, servers }, options);
  let modelTools = buildModelTools(projection, options);
  let telemetry = newTelemetry(projection, options.newId);
  const scopes = [telemetry];

  function project(): void {
    projection = buildProjection({ tools, servers, previous: projection }, options);
    modelTools = buildModelTools(projection, options);
  }

  /** Within the counter scope. */
  function projectOn(): void {
    project();
    telemetry.updateCatalog(projection.bindings.length, projection.sources);
  }

  return {
    current: () => ({ projection, telemetry }),
    modelTools: () => modelTools,
    tools: () => tools,
    append(added) {
      tools = [...tools, ...added];
      projectOn();
    },
    replace(replacement) {
      tools = [...replacement];
      project();
      telemetry = newTelemetry(projection, options.newId);
      scopes.push(telemetry);
    },
    replaceServers(replacement) {
      servers = [...replacement];
      projectOn();
    },
    narrow(allow) {
      tools = tools.filter(({ name }) => allow(name));
      servers = narrowServers(servers, allow);
      projectOn();
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

function newTelemetry({ bindings, sources }: Projection, newId: () => string): Telemetry {
  return createTelemetry({ newId, catalogSize: bindings.length, sources });
}
