export { createQuickJsRuntime } from "./image-runtime.js";
export { createPlainRuntime } from "./plain-runtime.js";
