export { createQuickJsRuntime, type QuickJsRuntimeOptions } from "./image-runtime.js";
export { createPlainRuntime } from "./plain-runtime.js";
