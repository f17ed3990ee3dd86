import { CodeModeError, type ExecInput, type ToolDescriptor, type WaitInput } from "@codemode/protocol";
import { projectTrajectory } from "@codemode/telemetry";
import { callDirectly } from "./direct-call.js";
import { exec } from "./exec.js";
import { withDebugView } from "./inspected-run.js";
import { asModelTool } from "./model-surface.js";
import type { CodeModeRun, RunOptions } from "./options.js";
import type { RunCatalog } from "./run-catalog.js";
import type { RunContext } from "./run-context.js";
import type { RunRegistry } from "./run-registry.js";
import { traceModelCall } from "./traced-call.js";
import { createTurnCounter } from "./turn-counter.js";
import { wait } from "./wait.js";

const TRAJECTORY_BOUNDS = { maxRecords: 1_000, maxChars: 200_000 };

export interface RunWiring {
  readonly run: RunContext;
  readonly catalog: RunCatalog;
  readonly registry: RunRegistry;
  readonly options: RunOptions;
  onClosed(run: CodeModeRun): void;
}

/** Opens a run: one agent run's view of code mode. */
export function createRun(wiring: RunWiring): CodeModeRun {
  const { run, catalog, registry, options } = wiring;
  const isEngaged = options.activation?.engaged ?? true;
  const isTraced = run.host.tracing !== undefined;
  const turns = createTurnCounter();
  let withdraw = (): void => {};
  let closing: Promise<void> | undefined;

  const directTools = (): readonly ToolDescriptor[] =>
    isEngaged ? catalog.current().projection.catalog.directOnly : catalog.tools();

  const showSurface = (): void =>
    run.host.debug?.surface(() => ({
      engaged: isEngaged,
      modelTools: self.modelTools,
      hidden: catalog.current().projection.bindings.map(({ callableName }) => callableName),
      sources: catalog.current().projection.sources,
    }));

  const self: CodeModeRun = {
    get modelTools() {
      return isEngaged ? catalog.modelTools() : directTools().map(asModelTool);
    },
    get mcpProblems() {
      return catalog.current().projection.mcpProblems;
    },
    get mcpNamespaces() {
      const { namespaces } = catalog.current().projection;
      return namespaces.map(({ server, name, functions }) => ({ server, name, functions: functions.length }));
    },
    exec: async (input, context = {}) => {
      const setting = { run: usable(run, isEngaged), registry };
      if (!isTraced) return exec({ ...setting, span: undefined }, input, context);
      return traceModelCall(run, { toolName: "exec", context }, (span) => exec({ ...setting, span }, input, context));
    },
    wait: async (input, context = {}) => {
      const setting = { run: usable(run, isEngaged), registry };
      if (!isTraced) return wait({ ...setting, span: undefined }, input, context);
      return traceModelCall(run, { toolName: "wait", context }, (span) => wait({ ...setting, span }, input, context));
    },
    async handleToolCall(name, input, call) {
      if (isEngaged && name === "exec") return self.exec(input as ExecInput, call);
      if (isEngaged && name === "wait") return self.wait(input as WaitInput, call);
      const direct = { tools: directTools(), name, input };
      const context = call ?? {};
      if (!isTraced) return callDirectly(usable(run, true), direct, context);
      // A name that no tool has is the model's own text.
      const toolName = direct.tools.some((tool) => tool.name === name) ? name : "unknown";
      return traceModelCall(usable(run, true), { toolName, context }, () => callDirectly(run, direct, context));
    },
    appendTools(tools) {
      catalog.append(tools);
      showSurface();
    },
    replaceTools(tools) {
      catalog.replace(tools);
      showSurface();
    },
    narrow(allow) {
      catalog.narrow(allow);
      showSurface();
    },
    replaceMcpServers(servers) {
      catalog.replaceServers(servers);
      showSurface();
    },
    media: (ref) => run.media.find(ref),
    recordTurn: turns.recordTurn,
    telemetry: () => catalog.current().telemetry.snapshot(),
    trajectory: () => projectTrajectory(run.trajectory.list(), TRAJECTORY_BOUNDS),
    stats: () => ({ codeModeEngaged: isEngaged, ...turns.counts(), bridgeCalls: catalog.bridgeCalls() }),
    close(reason = "the run was closed") {
      withdraw();
      wiring.onClosed(self);
      return (closing ??= closeRun(wiring, reason));
    },
    [Symbol.asyncDispose]: () => self.close(),
  };

  withdraw = run.host.signals.onAbort(options.signal, () => {
    self.close("the run was cancelled").catch(run.host.reportFault);
  });
  showSurface();
  return withDebugView(self, run.host.debug);
}

function usable(run: RunContext, isEngaged: boolean): RunContext {
  if (run.lifetime.closedReason !== undefined) {
    throw new CodeModeError("closed", "The run is closed.", { what: "run" });
  }
  if (isEngaged) return run;
  const problem = "code mode is not engaged for this run";
  const message = `exec and wait cannot be called: ${problem}.`;
  throw new CodeModeError("invalid_argument", message, { path: "activation", problem });
}

async function closeRun({ run, catalog, registry }: RunWiring, reason: string): Promise<void> {
  run.lifetime.closedReason = reason;
  catalog.release();
  const cells = registry.cells().filter((cell) => cell.run === run);
  await Promise.all(cells.map((cell) => cell.end(reason)));
  run.media.clear();
}
