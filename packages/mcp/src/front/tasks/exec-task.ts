import type { CodeModeResult } from "@codemode/core";
import {
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type CallToolResult,
} from "@modelcontextprotocol/server";
import type { FrontClock } from "../front-clock.js";
import { concludeCall, performCall, type CallSetting, type FrontCall } from "../perform-call.js";
import { createProgressReporter, type ProgressReporter } from "../progress-reporter.js";
import type { TaskStore } from "./task-store.js";

/** Warnings of all parts of a task's result; further ones are left out. */
const MAX_WARNINGS = 32;

/** A program that hands control back again and again gets it later each time, so that it keeps no thread busy. In ms. */
const YIELD_PAUSE_MS = { first: 20, most: 1_000 };

/** What a session needs to run programs as tasks. */
export interface TaskSetting {
  readonly store: TaskStore;
  /** Sends a notification that belongs to no open request. Must not throw. */
  notify(method: string, params: Record<string, unknown>): void;
}

/** What a client asks for. */
export interface TaskRequest {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ttlMs: number | undefined;
  /** Good for as long as the task lives. */
  readonly progressToken: string | number | undefined;
}

/**
 * Runs a program as a task, through as many waits as it takes. The answer says only that it is under way.
 *
 * @throws {ProtocolError} for another tool than exec, and when too many tasks are under way.
 */
export function startExecTask(
  setting: CallSetting,
  { store, notify }: TaskSetting,
  { name, input, ttlMs, progressToken }: TaskRequest,
): CallToolResult {
  if (name !== "exec") {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `${name} cannot be a task; exec as a task needs no wait.`,
    );
  }
  const task = store.start(async ({ taskId, signal, tell }) => {
    const reporter = progressToken === undefined ? undefined : reporterOf(notify, { progressToken, taskId });
    const listener = (message: string): void => {
      tell(message);
      reporter?.tell(message);
    };
    const outcome = await concludeCall(setting, name, () => runToEnd(setting, { name, input, signal, listener }));
    reporter?.end();
    return outcome;
  }, ttlMs);
  if (task === undefined) {
    const message = "Too many tasks are under way; wait until one has ended, or cancel one.";
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
  }
  // The library takes no answer to a tool call without content; a client that asked for a task reads only the task.
  return { task, content: [] };
}

/** exec, then wait until the program needs none. The result is that of the whole program. */
async function runToEnd(setting: CallSetting, call: FrontCall): Promise<CodeModeResult> {
  let result = await performCall(setting, call);
  let pauseMs = YIELD_PAUSE_MS.first;
  while (result.status === "waiting") {
    if (result.reason === "yield") {
      await pause(setting.host.clock, pauseMs, call.signal);
      pauseMs = Math.min(YIELD_PAUSE_MS.most, pauseMs * 2);
    }
    const next = await performCall(setting, { ...call, name: "wait", input: { runId: result.runId } });
    result = joined(result, next);
  }
  return result;
}

/** Ends early with the signal: the next wait then ends the cell. */
async function pause(clock: FrontClock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let end = (): void => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  const cancel = clock.schedule(end, ms);
  signal.addEventListener("abort", end);
  await over;
  cancel();
  signal.removeEventListener("abort", end);
}

/** A later part with what an earlier one delivered. Output is bounded over all parts of a run. */
function joined(earlier: CodeModeResult, later: CodeModeResult): CodeModeResult {
  const output = [...(earlier.output ?? []), ...(later.output ?? [])];
  const warnings = [...new Set([...(earlier.warnings ?? []), ...(later.warnings ?? [])])].slice(0, MAX_WARNINGS);
  return {
    ...later,
    ...(output.length === 0 ? {} : { output }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function reporterOf(
  notify: TaskSetting["notify"],
  { progressToken, taskId }: { readonly progressToken: string | number; readonly taskId: string },
): ProgressReporter {
  return createProgressReporter({
    send: (progress, message) =>
      notify("notifications/progress", {
        progressToken,
        progress,
        message,
        _meta: { [RELATED_TASK_META_KEY]: { taskId } },
      }),
  });
}
