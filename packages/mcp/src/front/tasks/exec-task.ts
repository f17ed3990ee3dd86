import {
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type CallToolResult,
} from "@modelcontextprotocol/server";
import { concludeCall, performCall, type CallSetting } from "../perform-call.js";
import { createProgressReporter, type ProgressReporter } from "../progress-reporter.js";
import type { QuestionRoute } from "../question-route.js";
import type { TaskControl, TaskStore } from "./task-store.js";
import { waitToEnd } from "./wait-to-end.js";

/** What a session needs to run programs as tasks of protocol 2025-11-25. */
export interface CoreTasks {
  readonly kind: "core";
  readonly store: TaskStore;
  /** Sends a notification that belongs to no open request. Must not throw. */
  notify(method: string, params: Record<string, unknown>): void;
  /** Along with a request of the client. */
  readonly route: QuestionRoute;
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
  { store, notify, route }: CoreTasks,
  { name, input, ttlMs, progressToken }: TaskRequest,
): CallToolResult {
  if (name !== "exec") {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `${name} cannot be a task; exec as a task needs no wait.`,
    );
  }
  const task = store.start(async (control) => {
    const { taskId, signal, tell } = control;
    const reporter = progressToken === undefined ? undefined : reporterOf(notify, { progressToken, taskId });
    const listener = (message: string): void => {
      tell(message);
      reporter?.tell(message);
    };
    const following = { signal, listener, route: routeOfTask(control, route) };
    const outcome = await concludeCall(setting, name, async () =>
      waitToEnd(setting, await performCall(setting, { name, input, ...following }), following),
    );
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

/** The question names the task, and the task says that it asks. */
function routeOfTask({ taskId, whileAsking }: TaskControl, { takesForms, ask }: QuestionRoute): QuestionRoute {
  const _meta = { [RELATED_TASK_META_KEY]: { taskId } };
  return { takesForms, ask: (form, signal) => whileAsking(() => ask({ ...form, _meta }, signal)) };
}

function reporterOf(
  notify: CoreTasks["notify"],
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
