import type { CodeModeConfig } from "@codemode/config";
import { CodeModeError } from "@codemode/protocol";
import { createTrajectory } from "@codemode/telemetry";
import { createMediaStore } from "./media-store.js";
import type { RunOptions } from "./options.js";
import { createRunCatalog, type RunCatalog } from "./run-catalog.js";
import type { HostParts, RunContext } from "./run-context.js";
import { createSequenceGate } from "./sequence-gate.js";
import { createToolExecutor } from "./tool-executor.js";

export interface RunSetup {
  readonly host: HostParts;
  readonly config: CodeModeConfig;
  readonly hostLabel: string;
}

export interface OpenedRun {
  readonly run: RunContext;
  readonly catalog: RunCatalog;
}

/** Builds what a run's cells share. @throws {CodeModeError} `invalid_argument` */
export function openRunContext({ host, config, hostLabel }: RunSetup, options: RunOptions): OpenedRun {
  const { scope, hooks, approve, hostContext, seed, mcp = [] } = options;
  assertScope(scope);
  const limits = options.activation?.limits ?? config.limits;
  const { languages } = config;
  const { catalogIncludesMcp } = limits;
  const catalog = createRunCatalog({
    tools: options.tools,
    servers: mcp,
    newId: host.newId,
    hostLabel,
    catalogIncludesMcp,
    languages,
    limits,
    isEngaged: options.activation?.engaged ?? true,
  });
  const ownExecutor = createToolExecutor({
    ...(hooks === undefined ? {} : { hooks }),
    ...(approve === undefined ? {} : { approve }),
  });
  const run: RunContext = {
    host,
    scope,
    limits,
    languages,
    ...(hostContext === undefined ? {} : { hostContext }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(seed === undefined ? {} : { seed }),
    executeTool: options.executeTool ?? ownExecutor,
    gate: createSequenceGate(),
    trajectory: createTrajectory({ now: host.clock.now }),
    isReplay: options.replay === true,
    lifetime: { closedReason: undefined },
    media: createMediaStore(host.newId),
    catalog: () => catalog.current(),
  };
  return { run, catalog };
}

function assertScope(scope: RunOptions["scope"]): void {
  if (typeof scope?.agentRunId === "string" && scope.agentRunId !== "") return;
  const problem = "it must be a non-empty string";
  throw new CodeModeError("invalid_argument", `scope.agentRunId: ${problem}.`, { path: "scope.agentRunId", problem });
}
