export { createTelemetry, type Telemetry, type TelemetryOptions } from "./counters.js";
// prettier-ignore
export { buildHistory, replayedCalls, type ChildActivityEntry, type HistoryEntry, type HistoryOptions, type ModelCall, type ModelCallEntry } from "./history.js";
export { projectTrajectory, type TrajectoryBounds } from "./project-trajectory.js";
// prettier-ignore
export { createRedactor, MAX_REDACTED_CHARS, redactSource, redactText, type Redactor } from "./redact-source.js";
export { redactValue } from "./redact-value.js";
export type { RedactionOptions } from "./redaction-options.js";
// prettier-ignore
export { loadTracing, type ToolSpan, type TracedCall, type TracedEnd, type Tracing, type TracingOptions } from "./spans.js";
export type { SpanOptions, TracedSpan, Tracer } from "./tracer.js";
// prettier-ignore
export { MAX_TRAJECTORY_RECORDS, createTrajectory, type StartedCall, type Trajectory } from "./trajectory.js";
