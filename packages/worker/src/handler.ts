import {
  encodeReport,
  type CompileOutcome,
  type GuestRuntime,
  type WorkerReport,
  type WorkerTask,
} from "@codemode/protocol";
import { loadFailureExplainer, prepareSource } from "@codemode/transform";
import type { MessagePort } from "node:worker_threads";
import { compile } from "./compile.js";
import { serve } from "./serve.js";

/** What the default export of a worker thread's entry is: Tinypool calls it with one task after the other. */
export type WorkerHandler = (task: WorkerTask<MessagePort>) => Promise<CompileOutcome | undefined>;

/** Makes a thread's engine. It may tell why it does without images, once. */
export type RuntimeFactory = (onFallback: (reason: string) => void) => GuestRuntime | Promise<GuestRuntime>;

/**
 * Joins source preparation and an engine to the supervisor's task protocol. `createRuntime` is called once on a thread
 * that runs cells, and never on one that compiles; the thread owns the runtime.
 */
export function createWorkerHandler(createRuntime: RuntimeFactory): WorkerHandler {
  return async (task) => {
    if (task.type === "compile") return compile(task, prepareSource);
    const explainFailure = await loadFailureExplainer();
    const report = (message: WorkerReport) => task.port.postMessage(encodeReport(message));
    const runtime = await createRuntime((reason) => report({ type: "fallback", reason }));
    await serve(task, { runtime, prepareSource, explainFailure });
    return undefined;
  };
}
