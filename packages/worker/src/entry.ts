// The module a thread runs. The engine is loaded lazily, as the compiler is by `prepareSource`: a thread that compiles
// never loads the engine, one that runs cells never the compiler.
import type { WorkerTask } from "@codemode/protocol";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { runThread, type RuntimeFactory } from "./run-thread.js";

const createRuntime: RuntimeFactory = async (onFallback) => {
  const { createQuickJsRuntime } = await import("@codemode/quickjs");
  return createQuickJsRuntime({ onFallback });
};

if (parentPort !== null) {
  await runThread(createRuntime, { firstTask: workerData as WorkerTask<MessagePort>, parent: parentPort });
}
