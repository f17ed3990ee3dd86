// The thread's entry: joins source preparation and engine to the supervisor's task protocol. The engine is loaded lazily,
// as the compiler is by `prepareSource`: a thread that compiles never loads the engine, one that runs cells never the
// compiler.
import type { CompileOutcome, WorkerReport, WorkerTask } from "@codemode/protocol";
import { prepareSource, resolvePosition } from "@codemode/transform";
import type { MessagePort } from "node:worker_threads";
import { compile } from "./compile.js";
import { serve } from "./serve.js";

/** Tinypool's handler. */
export default async function handle(task: WorkerTask<MessagePort>): Promise<CompileOutcome | undefined> {
  if (task.type === "compile") return compile(task, prepareSource);
  const { createQuickJsRuntime } = await import("@codemode/quickjs");
  const report = (message: WorkerReport) => task.port.postMessage(message);
  const runtime = createQuickJsRuntime({ onFallback: (reason) => report({ type: "fallback", reason }) });
  await serve(task.port, { runtime, prepareSource, resolvePosition });
  return undefined;
}
