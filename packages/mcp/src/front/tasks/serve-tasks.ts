import {
  RELATED_TASK_META_KEY,
  type CallToolResult,
  type McpServer,
  type RequestId,
} from "@modelcontextprotocol/server";
import { untilAborted } from "../../until-aborted.js";
import { invalidParams, known, paramsSchema, TASK_ID } from "./task-params.js";
import { isEnded, type Task, type TaskStore } from "./task-store.js";

/** What a server that serves tasks says of itself. */
export const TASKS_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const;

/** What waiting for a task's result has to do with the session. */
export interface ResultWaiting {
  /** Runs what belongs to a request of the client: until it is answered, questions to the client go along with it. */
  during<T>(requestId: RequestId, work: () => Promise<T>): Promise<T>;
  /** The client cancelled the request: it gets no answer. */
  readonly onCancelled: ((requestId: RequestId) => void) | undefined;
}

/** Answers the requests of protocol 2025-11-25 about tasks. */
export function serveTasks({ server }: McpServer, store: TaskStore, { during, onCancelled }: ResultWaiting): void {
  server.setRequestHandler("tasks/get", { params: TASK_ID }, ({ taskId }) => asResult(known(store.get(taskId))));

  server.setRequestHandler("tasks/list", { params: ANY_PARAMS }, ({ cursor }) => {
    // All tasks fit one page, so no cursor was ever given out.
    if (cursor !== undefined) throw invalidParams("There is no such page; list without a cursor.");
    return { tasks: store.list().map(asResult) };
  });

  server.setRequestHandler("tasks/cancel", { params: TASK_ID }, ({ taskId }) => {
    const { status } = known(store.get(taskId));
    if (isEnded({ status })) throw invalidParams(`The task has ended (${status}); it cannot be cancelled.`);
    return asResult(known(store.cancel(taskId)));
  });

  server.setRequestHandler(
    "tasks/result",
    { params: TASK_ID },
    async ({ taskId }, { mcpReq }): Promise<CallToolResult> => {
      try {
        const ended = known(store.outcome(taskId));
        const outcome = await during(mcpReq.id, () => untilAborted(ended, mcpReq.signal));
        const answer = outcome.answer();
        return { ...answer, _meta: { ...answer._meta, [RELATED_TASK_META_KEY]: { taskId } } };
      } finally {
        if (mcpReq.signal.aborted) onCancelled?.(mcpReq.id);
      }
    },
  );
}

const ANY_PARAMS = paramsSchema(({ cursor }) => ({ cursor }), "must be an object");

function asResult(task: Task): Record<string, unknown> {
  return { ...task };
}
