export { createQuickJsRuntime } from "./runtime.js";
