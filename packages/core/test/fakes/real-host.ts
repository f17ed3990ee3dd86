import { resolveConfig, type CodeModeConfigInput } from "@codemode/config";
import { createCodeMode } from "../../src/create-code-mode.js";
import type { CodeMode, CodeModeRun, RunOptions } from "../../src/options.js";

export interface RealHost {
  readonly host: CodeMode;
  /** A run with limits of its own. */
  openRun(options?: Partial<RunOptions>, config?: CodeModeConfigInput): CodeModeRun;
}

/** Core over the real worker pool and the real engine: two threads at most unless told otherwise, the first one warm. */
export async function createRealHost({ maxWorkers = 2 } = {}): Promise<RealHost> {
  const host = createCodeMode({ workers: { max: maxWorkers } });
  await host.prewarm();
  return { host, openRun: openRunOf(host) };
}

/** Opens runs of one agent and session, each with limits of its own. */
export function openRunOf(host: CodeMode): RealHost["openRun"] {
  return (options = {}, config = {}) =>
    host.openRun({
      scope: { agentRunId: "agent-1", sessionId: "session-1" },
      tools: [],
      activation: { engaged: true, reason: "test", source: "global", limits: resolveConfig(config).limits },
      ...options,
    });
}
