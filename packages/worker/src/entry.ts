// The thread's entry: joins source preparation and engine to the supervisor's task protocol. The engine is loaded lazily,
// as the compiler is by `prepareSource`: a thread that compiles never loads the engine, one that runs cells never the
// compiler.
import type { CompileOutcome, WorkerTask } from "@codemode/protocol";
import { loadFailureExplainer, prepareSource } from "@codemode/transform";
import type { MessagePort } from "node:worker_threads";
import { compile } from "./compile.js";
import { serve } from "./serve.js";

/** Tinypool's handler. */
export default async function handle(task: WorkerTask<MessagePort>): Promise<CompileOutcome | undefined> {
  if (task.type === "compile") return compile(task, prepareSource);
  const [{ createQuickJsRuntime }, explainFailure] = await Promise.all([
    import("@codemode/quickjs"),
    loadFailureExplainer(),
  ]);
  await serve(task.port, { runtime: createQuickJsRuntime(), prepareSource, explainFailure });
  return undefined;
}
