import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isObject } from "../../is-object.js";
import { known, TASK_ID } from "./task-params.js";
import type { TaskInputs } from "./task-inputs.js";
import { isEnded, type Task, type TaskStore } from "./task-store.js";

/** The tasks extension of protocol 2026-07-28: https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/ */
export const TASK_EXTENSION = "io.modelcontextprotocol/tasks";

/** What a session needs to make tasks of programs that wait or ask. */
export interface ExtensionTasks {
  readonly kind: "extension";
  readonly store: TaskStore;
  readonly inputs: TaskInputs;
}

const SUPPORT = { extensions: { [TASK_EXTENSION]: {} } };

/** Whether the client of this request takes a task in place of a result. */
export function takesTasks(context: RequestContext): boolean {
  const extensions = capabilitiesOf(context)["extensions"];
  return isObject(extensions) && isObject(extensions[TASK_EXTENSION]);
}

/** Whether the client of this request answers forms. One that names no kind of question means forms. */
export function takesForms(context: RequestContext): boolean {
  const elicitation = capabilitiesOf(context)["elicitation"];
  if (!isObject(elicitation)) return false;
  return isObject(elicitation["form"]) || (elicitation["form"] === undefined && elicitation["url"] === undefined);
}

/** Answers the requests of the extension. */
export function serveTaskExtension({ server }: McpServer, { store, inputs }: ExtensionTasks): void {
  server.setRequestHandler("tasks/get", { params: TASK_ID }, async ({ taskId }, context) => {
    requireSupport(context);
    const task = known(store.get(taskId));
    if (task.status === "cancelled") return view(task);
    if (!isEnded(task)) {
      const inputRequests = inputs.open(taskId);
      const status = inputRequests === undefined ? "working" : "input_required";
      return { ...view(task), status, ...(inputRequests === undefined ? {} : { inputRequests }) };
    }
    const { answer } = await known(store.outcome(taskId));
    // A program that failed is a completed task: failed ones are those that came to no result.
    return { ...view(task), status: "completed", result: { resultType: "complete", ...answer() } };
  });
  server.setRequestHandler("tasks/update", { params: TASK_ID }, ({ taskId }, context) => {
    requireSupport(context);
    known(store.get(taskId));
    inputs.answer(taskId, context.mcpReq.inputResponses ?? {});
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params: TASK_ID }, ({ taskId }, context) => {
    requireSupport(context);
    known(store.cancel(taskId));
    return {};
  });
}

/** The answer to a tool call that has become a task. */
export function taskAnswer(task: Task): CallToolResult {
  // The library takes no answer to a tool call without content; a client reads only the task.
  return { ...view(task), resultType: "task", content: [] };
}

type RequestContext = Pick<ServerContext, "mcpReq">;

function requireSupport(context: RequestContext): void {
  if (!takesTasks(context)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: SUPPORT });
}

/** What the client announces with the request. */
function capabilitiesOf({ mcpReq }: RequestContext): Readonly<Record<string, unknown>> {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  return isObject(capabilities) ? capabilities : {};
}

/** As the extension shows a task. */
function view({ ttl, pollInterval, ...task }: Task): Record<string, unknown> {
  return { ...task, ttlMs: ttl, pollIntervalMs: pollInterval };
}
