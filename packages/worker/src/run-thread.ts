import { encodeReport, type GuestRuntime, type WorkerReport, type WorkerTask } from "@codemode/protocol";
import { loadFailureExplainer, prepareSource } from "@codemode/transform";
import type { MessagePort } from "node:worker_threads";
import { compile, type CompileTask } from "./compile.js";
import { serve } from "./serve.js";

/** Makes a thread's engine. It may tell why it does without images, once. */
export type RuntimeFactory = (onFallback: (reason: string) => void) => GuestRuntime | Promise<GuestRuntime>;

/** What a thread is started with: its `workerData` and its `parentPort`. */
export interface ThreadStart {
  readonly firstTask: WorkerTask<MessagePort>;
  /** Brings further tasks to a thread that compiles, and takes their answers. */
  readonly parent: Pick<MessagePort, "on" | "postMessage">;
}

/**
 * A thread's life: joins source preparation and an engine to the supervisor's task protocol. `createRuntime` is called
 * once on a thread that runs cells, and never on one that compiles; the thread owns the runtime.
 */
export async function runThread(createRuntime: RuntimeFactory, { firstTask, parent }: ThreadStart): Promise<void> {
  if (firstTask.type === "serve") {
    const { port } = firstTask;
    const report = (message: WorkerReport) => port.postMessage(encodeReport(message));
    const [runtime, explainFailure] = await Promise.all([
      createRuntime((reason) => report({ type: "fallback", reason })),
      loadFailureExplainer(),
    ]);
    return serve(firstTask, { runtime, prepareSource, explainFailure });
  }
  const answer = async (task: CompileTask) => parent.postMessage(await compile(task, prepareSource));
  // An error ends the thread, and the host learns of it so.
  parent.on("message", (task: CompileTask) => void answer(task));
  return answer(firstTask);
}
