import {
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type CallToolResult,
  type McpServer,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { isObject } from "../../is-object.js";
import type { Task, TaskStore } from "./task-store.js";

/** Longest id that is looked up, in characters. */
const MAX_ID_CHARS = 200;

/** What a server that serves tasks says of itself. */
export const TASKS_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const;

/**
 * Answers the requests of protocol 2025-11-25 about tasks.
 *
 * @param onCancelled - The client cancelled a request, which gets no answer. Its task goes on.
 */
export function serveTasks(
  { server }: McpServer,
  store: TaskStore,
  onCancelled?: (requestId: string | number) => void,
): void {
  server.setRequestHandler("tasks/get", { params: TASK_ID }, ({ taskId }) => asResult(known(store.get(taskId))));

  server.setRequestHandler("tasks/list", { params: ANY_PARAMS }, ({ cursor }) => {
    // All tasks fit one page, so no cursor was ever given out.
    if (cursor !== undefined) throw invalid("There is no such page; list without a cursor.");
    return { tasks: store.list().map(asResult) };
  });

  server.setRequestHandler("tasks/cancel", { params: TASK_ID }, ({ taskId }) => {
    const { status } = known(store.get(taskId));
    if (status !== "working") throw invalid(`The task has ended (${status}); it cannot be cancelled.`);
    return asResult(known(store.cancel(taskId)));
  });

  server.setRequestHandler(
    "tasks/result",
    { params: TASK_ID },
    async ({ taskId }, { mcpReq }): Promise<CallToolResult> => {
      try {
        const outcome = await untilAborted(known(store.outcome(taskId)), mcpReq.signal);
        const answer = outcome.answer();
        return { ...answer, _meta: { ...answer._meta, [RELATED_TASK_META_KEY]: { taskId } } };
      } finally {
        if (mcpReq.signal.aborted) onCancelled?.(mcpReq.id);
      }
    },
  );
}

/** @throws the reason of the abort, when that comes first */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw invalid("There is no task of that id, or its time to live is over.");
  return found;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function asResult(task: Task): Record<string, unknown> {
  return { ...task };
}

/** In the form the library takes schemas in. */
function paramsSchema<T>(
  read: (params: Readonly<Record<string, unknown>>) => T | undefined,
  problem: string,
): StandardSchemaV1<unknown, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "codemode",
      validate(value) {
        const params = isObject(value) ? read(value) : undefined;
        return params === undefined ? { issues: [{ message: problem }] } : { value: params };
      },
    },
  };
}

const TASK_ID = paramsSchema(
  ({ taskId }) => (typeof taskId === "string" && taskId.length <= MAX_ID_CHARS ? { taskId } : undefined),
  "taskId must be the id of a task",
);
const ANY_PARAMS = paramsSchema(({ cursor }) => ({ cursor }), "must be an object");
