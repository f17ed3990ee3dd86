import type { CodeModeConfig } from "@codemode/config";
import { CodeModeError, type ToolExecutor } from "@codemode/protocol";
import { createTrajectory } from "@codemode/telemetry";
import { createMediaStore } from "./media-store.js";
import { assertRoomBeside, readModelView } from "./model-view.js";
import type { RunOptions } from "./options.js";
import type { SharedProjections } from "./projection.js";
import { createRunCatalog, type RunCatalog } from "./run-catalog.js";
import { askApproval } from "./ask-approval.js";
import { withQuestions } from "./call-questions.js";
import { createRunBudgetGuard } from "./run-budget.js";
import type { HostParts, RunContext, ScriptBounds } from "./run-context.js";
import { createSequenceGate } from "./sequence-gate.js";
import { createToolExecutor } from "./tool-executor.js";

export interface RunSetup {
  readonly host: HostParts;
  readonly config: CodeModeConfig;
  readonly hostLabel: string;
  /** Of the host's runs. */
  readonly shared: SharedProjections;
  /** The run is one headless script. */
  readonly script?: ScriptBounds;
}

export interface OpenedRun {
  readonly run: RunContext;
  readonly catalog: RunCatalog;
}

/** Builds what a run's cells share. @throws {CodeModeError} `invalid_argument` */
export function openRunContext({ host, config, hostLabel, shared, script }: RunSetup, options: RunOptions): OpenedRun {
  const { scope, hooks, hostContext, seed, budget, mcp = [] } = options;
  assertScope(scope);
  const modelView = readModelView(options);
  const limits = options.activation?.limits ?? config.limits;
  const { languages } = config;
  const { catalogIncludesMcp } = limits;
  const catalog = createRunCatalog({
    tools: options.tools,
    servers: mcp,
    newId: host.newId,
    hostLabel,
    shared,
    catalogIncludesMcp,
    languages,
    limits,
    isEngaged: options.activation?.engaged ?? true,
  });
  if (modelView !== undefined) assertRoomBeside(catalog.current().telemetry.snapshot(), modelView);
  const run: RunContext = {
    host,
    scope,
    limits,
    languages,
    ...(hostContext === undefined ? {} : { hostContext }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(script === undefined ? {} : { script }),
    ...(modelView === undefined ? {} : { modelView }),
    ...(seed === undefined ? {} : { seed }),
    executeTool: executorOf(options, host.reportFault),
    gate: createSequenceGate(),
    ...(budget === undefined ? {} : { budget: createRunBudgetGuard(budget, host.reportFault) }),
    trajectory: createTrajectory({ now: host.clock.now }),
    isReplay: options.replay === true,
    lifetime: { closedReason: undefined },
    media: createMediaStore(host.newId),
    catalog: () => catalog.current(),
  };
  return { run, catalog };
}

/** An approval gate is never passed over, whoever executes. */
function executorOf({ executeTool, hooks, approve }: RunOptions, reportFault: HostParts["reportFault"]): ToolExecutor {
  if (executeTool === undefined) {
    return createToolExecutor({
      onFault: reportFault,
      ...(hooks === undefined ? {} : { hooks }),
      ...(approve === undefined ? {} : { approve }),
    });
  }
  if (approve === undefined) return executeTool;
  return async (call, tool, context) => {
    await askApproval(approve, call, context);
    return withQuestions({ gate: approve, reportFault }, context, (given) => executeTool(call, tool, given));
  };
}

function assertScope(scope: RunOptions["scope"]): void {
  if (typeof scope?.agentRunId === "string" && scope.agentRunId !== "") return;
  const problem = "it must be a non-empty string";
  throw new CodeModeError("invalid_argument", `scope.agentRunId: ${problem}.`, { path: "scope.agentRunId", problem });
}
