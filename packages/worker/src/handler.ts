import type { CompileOutcome, GuestRuntime, WorkerTask } from "@codemode/protocol";
import { loadFailureExplainer, prepareSource } from "@codemode/transform";
import type { MessagePort } from "node:worker_threads";
import { compile } from "./compile.js";
import { serve } from "./serve.js";

/** What the default export of a worker thread's entry is: Tinypool calls it with one task after the other. */
export type WorkerHandler = (task: WorkerTask<MessagePort>) => Promise<CompileOutcome | undefined>;

/**
 * Joins source preparation and an engine to the supervisor's task protocol. `createRuntime` is called once on a thread
 * that runs cells, and never on one that compiles; the thread owns the runtime.
 */
export function createWorkerHandler(createRuntime: () => GuestRuntime | Promise<GuestRuntime>): WorkerHandler {
  return async (task) => {
    if (task.type === "compile") return compile(task, prepareSource);
    const explainFailure = await loadFailureExplainer();
    await serve(task, { runtime: await createRuntime(), prepareSource, explainFailure });
    return undefined;
  };
}
