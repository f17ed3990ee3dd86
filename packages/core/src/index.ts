// prettier-ignore
export { createCodeMode } from "./create-code-mode.js";
// prettier-ignore
export { enforcePayload } from "./enforce-payload.js";
// prettier-ignore
export type { MediaBlock } from "./media-block.js";
// prettier-ignore
export type { CallContext, CodeMode, CodeModeOptions, CodeModeRun, McpNamespaceSummary, RunBudget, RunOptions, ScriptOptions } from "./options.js";
// prettier-ignore
export { createToolExecutor, type ToolExecutorOptions } from "./tool-executor.js";
// prettier-ignore
export { toModelContent, type ModelContent, type ModelContentBlock, type ModelTextBlock } from "./to-model-content.js";
// prettier-ignore
export { NestedCallError, type NestedCallErrorCode } from "./nested-call-error.js";
// The protocol's types that this package's own API is made of, so that a host needs no second import.
// prettier-ignore
export type { Activation, ApprovalGate, CellExecutor, CellSeed, CodeModeCompletedResult, CodeModeEvent, CodeModeFailedResult, CodeModeOutput, CodeModeResult, CodeModeTelemetry, CodeModeWaitingResult, ContentBlock, Elicit, ElicitationAnswer, ElicitationQuestion, ExecInput, JsonSchema, JsonValue, McpCallResult, McpOperation, McpServerDescriptor, McpToolDescriptor, ModelTool, NestedCall, NestedCallRecord, QuestionGate, RunScope, RunStats, SnapshotStore, ToolCallContext, ToolDescriptor, ToolExecutor, ToolHooks, ToolOutcome, WaitInput } from "@codemode/protocol";
export { CodeModeError } from "@codemode/protocol";
