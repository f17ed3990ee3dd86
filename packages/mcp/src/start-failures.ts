import { stat } from "node:fs/promises";
import { describeValue, type CodeModeError } from "@codemode/protocol";
import type { McpServerConfig, StdioServerConfig } from "./mcp-config.js";
import { oneLine } from "./one-line.js";
import { isServerFailure, labelOf, serverFailure, type SessionState } from "./session-failures.js";
import type { StartLimit } from "./start-limit.js";

/** Why a server's process could not be started. */
export async function explainSpawn(name: string, config: StdioServerConfig, error: unknown): Promise<CodeModeError> {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  const command = `command ${describeValue(config.command)}`;
  const place = `mcpServers.${name}`;
  const isFolderMissing = config.cwd !== undefined && !(await stat(config.cwd).catch(() => undefined))?.isDirectory();
  const problem = isFolderMissing
    ? `its working directory ${describeValue(config.cwd)} is no folder; correct ${place}.cwd`
    : code === "ENOENT"
      ? `${command} was not found; ${/\s/.test(config.command) ? `put its arguments into ${place}.args` : `install it or correct ${place}.command`}`
      : `${command} could not be started (${code}); correct ${place}`;
  return failed(name, problem, error);
}

/** What a server that was started did not do. */
export interface FailedStep {
  readonly step: "initialize" | "tools/list";
  readonly config: McpServerConfig;
  readonly limit: StartLimit;
  readonly state: SessionState;
}

/** Why a server did not become ready. `details.reason` is one line with the next step. */
export function explainStart(error: unknown, { step, config, limit, state }: FailedStep): CodeModeError {
  const { name, loss, hints } = state;
  const happened =
    loss !== undefined
      ? `${loss} before it was ready`
      : limit.isLate()
        ? `it did not answer ${step} within ${limit.timeoutMs} ms`
        : `${step} failed: ${reasonOf(error)}`;
  const advice =
    "url" in config
      ? "check its url and headers, and that it runs"
      : loss === undefined && limit.isLate()
        ? "run its command in a terminal, or allow it more time with startTimeoutMs"
        : "run its command in a terminal to see why";
  return failed(name, [happened, hints, advice].filter((part) => part !== "").join("; "), error);
}

/** On one line, without the last full stop. */
export function reasonOf(error: unknown): string {
  if (isServerFailure(error)) return error.details.reason;
  return oneLine(error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

function failed(name: string, reason: string, cause: unknown): CodeModeError {
  return serverFailure(name, { reason, message: `${labelOf(name)} could not be used: ${reason}.`, cause });
}
