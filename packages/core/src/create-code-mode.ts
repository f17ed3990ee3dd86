import { resolveConfig, type CodeModeConfig } from "@codemode/config";
import { CodeModeError } from "@codemode/protocol";
import { openRunContext } from "./open-run.js";
import type { CodeMode, CodeModeOptions, CodeModeRun, RunOptions } from "./options.js";
import { createRun } from "./run.js";
import type { RunContext, ScriptBounds } from "./run-context.js";
import { createRunRegistry } from "./run-registry.js";
import { createSharedProjections } from "./shared-projections.js";
import { runScript } from "./run-script.js";
import { wireParts, type Wiring } from "./wiring.js";

/**
 * Code mode for one host, with a local worker pool and an in-memory store unless others are given.
 *
 * @throws {CodeModeError} `invalid_argument` for a configuration that cannot be used.
 */
export function createCodeMode(options: CodeModeOptions = {}): CodeMode {
  const config = configOf(options);
  return createHost({ config, hostLabel: options.hostLabel ?? "host", wiring: wireParts(options, config.limits) });
}

export interface HostSetup {
  readonly config: CodeModeConfig;
  readonly hostLabel: string;
  readonly wiring: Wiring;
}

/** The host object over parts that are already there. */
export function createHost({ config, hostLabel, wiring }: HostSetup): CodeMode {
  const { parts } = wiring;
  const registry = createRunRegistry(parts.clock);
  const shared = createSharedProjections();
  const runs = new Set<CodeModeRun>();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new CodeModeError("closed", "The host object is closed.", { what: "host" });
  }

  async function closeAll(): Promise<void> {
    await Promise.all([...runs].map((run) => run.close("the host was closed")));
    await wiring.dispose();
  }

  function open(options: RunOptions, script?: ScriptBounds): { run: CodeModeRun; context: RunContext } {
    assertOpen();
    const setup = { host: parts, config, hostLabel, shared, ...(script === undefined ? {} : { script }) };
    const opened = openRunContext(setup, options);
    const run = createRun({ ...opened, options, registry, onClosed: (closed) => runs.delete(closed) });
    // A signal that had aborted has closed the run already.
    if (opened.run.lifetime.closedReason === undefined) runs.add(run);
    return { run, context: opened.run };
  }

  const self: CodeMode = {
    openRun: (options) => open(options).run,
    runScript: async (source, options) => runScript({ clock: parts.clock, registry, open }, source, options),
    async prewarm(options) {
      assertOpen();
      await parts.executor.prewarm(options);
    },
    async closeSession(sessionId) {
      const cells = registry.cells().filter((cell) => cell.run.scope.sessionId === sessionId);
      await Promise.all(cells.map((cell) => cell.end("the session was closed")));
    },
    close: () => (closing ??= closeAll()),
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

function configOf({ config, workers }: CodeModeOptions): CodeModeConfig {
  const resolved = resolveConfig(config);
  if (workers?.watchdogGraceMs === undefined) return resolved;
  return resolveConfig(config, { watchdogGraceMs: workers.watchdogGraceMs });
}
