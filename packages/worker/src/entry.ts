// The thread's entry. The engine is loaded lazily, as the compiler is by `prepareSource`: a thread that compiles never
// loads the engine, one that runs cells never the compiler.
import { createWorkerHandler } from "./handler.js";

/** Tinypool's handler. */
export default createWorkerHandler(async (onFallback) => {
  const { createQuickJsRuntime } = await import("@codemode/quickjs");
  return createQuickJsRuntime({ onFallback });
});
