import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isObject } from "../../is-object.js";
import { concludeCall, type CallOutcome, type CallSetting } from "../perform-call.js";
import { known, TASK_ID } from "./task-params.js";
import type { Task, TaskStore } from "./task-store.js";
import { waitToEnd } from "./wait-to-end.js";

/** The tasks extension of protocol 2026-07-28: https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/ */
export const TASK_EXTENSION = "io.modelcontextprotocol/tasks";

/** What a session needs to make tasks of programs that wait. */
export interface ExtensionTasks {
  readonly kind: "extension";
  readonly store: TaskStore;
}

const SUPPORT = { extensions: { [TASK_EXTENSION]: {} } };

/** Whether the client of this request takes a task in place of a result. */
export function takesTasks({ mcpReq }: Pick<ServerContext, "mcpReq">): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  return isObject(extensions) && isObject(extensions[TASK_EXTENSION]);
}

/** Answers the requests of the extension. A task of ours never asks for input, so an update changes nothing. */
export function serveTaskExtension({ server }: McpServer, store: TaskStore): void {
  server.setRequestHandler("tasks/get", { params: TASK_ID }, async ({ taskId }, context) => {
    requireSupport(context);
    const task = known(store.get(taskId));
    if (task.status === "working" || task.status === "cancelled") return view(task);
    const { answer } = await known(store.outcome(taskId));
    // A program that failed is a completed task: failed ones are those that came to no result.
    return { ...view(task), status: "completed", result: { resultType: "complete", ...answer() } };
  });
  server.setRequestHandler("tasks/update", { params: TASK_ID }, ({ taskId }, context) => {
    requireSupport(context);
    known(store.get(taskId));
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params: TASK_ID }, ({ taskId }, context) => {
    requireSupport(context);
    known(store.cancel(taskId));
    return {};
  });
}

/**
 * Makes a program that needs a wait a task, which waits for it. The answer says only that it is under way.
 *
 * Undefined when too many tasks are under way: the client's model then waits itself.
 */
export function continueAsTask(
  setting: CallSetting,
  { store }: ExtensionTasks,
  { waiting }: CallOutcome,
): CallToolResult | undefined {
  if (waiting === undefined) return undefined;
  const task = store.start(
    ({ signal, tell }) => concludeCall(setting, "wait", () => waitToEnd(setting, waiting, { signal, listener: tell })),
    undefined,
  );
  // The library takes no answer to a tool call without content; a client reads only the task.
  return task === undefined ? undefined : { ...view(task), resultType: "task", content: [] };
}

function requireSupport(context: Pick<ServerContext, "mcpReq">): void {
  if (!takesTasks(context)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: SUPPORT });
}

/** As the extension shows a task. */
function view({ ttl, pollInterval, ...task }: Task): Record<string, unknown> {
  return { ...task, ttlMs: ttl, pollIntervalMs: pollInterval };
}
