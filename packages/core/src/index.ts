// prettier-ignore
export { createCodeMode } from "./create-code-mode.js";
// prettier-ignore
export { enforcePayload } from "./enforce-payload.js";
// prettier-ignore
export type { CallContext, CodeMode, CodeModeOptions, CodeModeRun, RunOptions } from "./options.js";
// prettier-ignore
export { createToolExecutor, type ToolExecutorOptions } from "./tool-executor.js";
// prettier-ignore
export { NestedCallError } from "./nested-call-error.js";
