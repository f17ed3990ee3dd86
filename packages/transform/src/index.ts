export { loadFailureExplainer, type ExplainedFailure, type FailureExplainer } from "./explain-failure.js";
export { resolvePosition } from "./positions.js";
export { prepareSource, type PrepareOptions } from "./prepare-source.js";
export { SourceError } from "./source-error.js";
