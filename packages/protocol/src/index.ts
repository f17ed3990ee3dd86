// prettier-ignore
export type { Activation } from "./activation.js";
// prettier-ignore
export { BridgeReplySchema, BridgeRequestSchema, EncodedJsonSchema, OutputDeltaSchema, PlainErrorSchema, type BridgeMethod, type BridgeReply, type BridgeRequest, type EncodedJson, type OutputDelta, type PlainError } from "./bridge.js";
// prettier-ignore
export type { ApprovalGate, ContentBlock, McpCallResult, McpOperation, McpRequestContext, McpServerDescriptor, McpToolDescriptor, ModelTool, NestedCall, QuestionGate, ToolCallContext, ToolDescriptor, ToolExecutor, ToolHooks, ToolOutcome } from "./catalog.js";
export type { Elicit, ElicitationAnswer, ElicitationQuestion } from "./elicitation.js";
// prettier-ignore
export { CELL_FILE_NAMES, CELL_WRAPPER, LINES_BEFORE_CODE } from "./cell-script.js";
// prettier-ignore
export { CodeModeResultSchema, CompletedResultSchema, ExecInputSchema, FailedResultSchema, LANGUAGES, LedgerCallSchema, OutputItemSchema, PendingToolCallSchema, SourceLocationSchema, WaitInputSchema, WaitingResultSchema, type CellLanguage, type CodeModeCompletedResult, type CodeModeFailedResult, type CodeModeOutput, type CodeModeResult, type CodeModeWaitingResult, type ExecInput, type LedgerCall, type PendingToolCall, type SourceLocation, type WaitInput } from "./cell.js";
// prettier-ignore
export { CodeModeError } from "./code-mode-error.js";
export { describeValue } from "./describe-value.js";
// prettier-ignore
export { CodeModeErrorCodeSchema, ERROR_CODES, FAILURE_CODES, FAILURE_PHASES, FailurePhaseSchema, type CodeModeErrorCode, type ErrorCode, type ErrorCodeRow, type ErrorDetails, type FailurePhase } from "./error-codes.js";
// prettier-ignore
export { NO_OUTPUT, failedStep, refusedStep, type StepProgress } from "./ended-step.js";
// prettier-ignore
export { CellFailureSchema, CellStepSchema, type BoundaryStep, type CellExecutor, type CellFailure, type CellSeed, type CellSession, type CellSessionOptions, type CellStart, type CellStep, type Delivery } from "./executor.js";
// prettier-ignore
export type { JsonSchema, JsonValue } from "./json.js";
// prettier-ignore
export { DEFAULT_MAX_SOURCE_BYTES, MAX_SUSPENDED_RUNS, type CellLimits, type VmLimits } from "./limits.js";
// prettier-ignore
export { decodeCommand, encodeCommand, encodeReport, joinReport, type PortMessage, type PortPart } from "./port-message.js";
// prettier-ignore
export type { GuestRuntime, GuestVm, VmFailure, VmOptions, VmStep } from "./runtime.js";
export { Type, type Static } from "./schema-builder.js";
export { createShapeCheck } from "./shape-check.js";
// prettier-ignore
export { ParkedCellSchema, SNAPSHOT_FORMAT_VERSION, SnapshotCompressionSchema, VmSnapshotSchema, type AcquireOutcome, type ParkOutcome, type ParkedCell, type RunScope, type SnapshotCompression, type SnapshotLease, type SnapshotRecord, type SnapshotStore, type VmSnapshot } from "./snapshot.js";
// prettier-ignore
export { PreparedSourceSchema, type EnginePosition, type PreparedSource } from "./source.js";
// prettier-ignore
export { ApiFileSchema, GuestFunctionSchema, GuestGroupSchema, GuestNamespaceSchema, GuestSurfaceSchema, GuestToolSchema, type ApiFile, type GuestFunction, type GuestGroup, type GuestNamespace, type GuestSurface, type GuestTool } from "./surface.js";
// prettier-ignore
export { CodeModeTelemetrySchema, TimingSchema, type CellTiming, type CodeModeEvent, type CodeModeTelemetry, type NestedCallRecord, type RunStats, type WorkerExitReason } from "./telemetry.js";
// prettier-ignore
export { CompileOutcomeSchema, WorkerReportSchema, type CompileOutcome, type WorkerCellStart, type WorkerCommand, type WorkerReport, type WorkerTask } from "./worker-messages.js";
