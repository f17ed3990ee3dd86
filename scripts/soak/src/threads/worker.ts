// The entry of the soak's worker threads: the real one, around an engine that is watched.
import type { WorkerTask } from "@codemode/protocol";
import { createQuickJsRuntime } from "@codemode/quickjs";
import { runThread } from "@codemode/worker/run-thread";
import { parentPort, threadId, workerData, type MessagePort } from "node:worker_threads";
import { openThreadPage } from "../thread-pages.js";
import { observeRuntime } from "./observed-runtime.js";

// On a thread this ends the thread, at once and whatever it does.
const die = (): void => process.exit(1);

if (parentPort === null) throw new Error("This module is the entry of a worker thread.");
await runThread(() => observeRuntime(createQuickJsRuntime(), openThreadPage(threadId), die), {
  firstTask: workerData as WorkerTask<MessagePort>,
  parent: parentPort,
});
