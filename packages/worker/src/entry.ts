// The module a thread runs: joins source preparation and engine to the supervisor's task protocol. The engine is loaded
// lazily, as the compiler is by `prepareSource`: a thread that compiles never loads the engine, one that runs cells never
// the compiler.
import type { WorkerTask } from "@codemode/protocol";
import { prepareSource, resolvePosition } from "@codemode/transform";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { compile, type CompileTask } from "./compile.js";
import { serve } from "./serve.js";

/** A thread's life. `parent` brings further tasks, after one that compiles, and takes their answers. */
export async function runThread(firstTask: WorkerTask<MessagePort>, parent: MessagePort): Promise<void> {
  if (firstTask.type === "serve") {
    const { createQuickJsRuntime } = await import("@codemode/quickjs");
    return serve(firstTask, { runtime: createQuickJsRuntime(), prepareSource, resolvePosition });
  }
  const answer = async (task: CompileTask) => parent.postMessage(await compile(task, prepareSource));
  // An error ends the thread, and the host learns of it so.
  parent.on("message", (task: CompileTask) => void answer(task));
  return answer(firstTask);
}

if (parentPort !== null) await runThread(workerData as WorkerTask<MessagePort>, parentPort);
