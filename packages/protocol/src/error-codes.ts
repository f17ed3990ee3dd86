import { Type } from "./schema-builder.js";

/** Failure codes of a result. Meaning and advice: `docs/errors/<code>.md`. */
export const FAILURE_CODES = [
  "invalid_input",
  "runtime_unavailable",
  "aborted",
  "timeout",
  "output_limit_exceeded",
  "snapshot_limit_exceeded",
  "internal_error",
] as const;

export const CodeModeErrorCodeSchema = Type.Enum([...FAILURE_CODES]);
/** Why a result has status `failed`, where it was not simply the guest's own error. */
export type CodeModeErrorCode = (typeof FAILURE_CODES)[number];

/** Where a cell failed: before evaluation, in guest code, in a nested call, or in the host's machinery. */
export const FAILURE_PHASES = ["input", "guest", "bridge", "host"] as const;
export const FailurePhaseSchema = Type.Enum([...FAILURE_PHASES]);
export type FailurePhase = (typeof FAILURE_PHASES)[number];

/** Typed details of each error thrown at the host. */
export interface ErrorDetails {
  /** A host call was made with arguments or configuration that cannot be used. */
  invalid_argument: { readonly path: string; readonly problem: string };
  /** The host object, or the run, was closed before the call. */
  closed: { readonly what: "host" | "run" | "executor" | "connection" | "store" };
  /** The engine or a worker thread could not be started. */
  runtime_unavailable: { readonly reason: string };
  /** A message of a worker, store or server did not have its declared shape. */
  malformed_message: { readonly from: string; readonly problem: string };
  /** Parked bytes are damaged or belong to another engine build. A result then says `runtime_unavailable`. */
  snapshot_incompatible: { readonly reason: string };
  /** A parked cell is larger than `maxSnapshotBytes`. */
  snapshot_limit_exceeded: { readonly limitBytes: number; readonly actualBytes: number };
  /** An MCP server could not be started, listed or called. */
  mcp_server_failed: { readonly server: string; readonly reason: string };
  /** The request to a model provider does not hold exactly the approved tools. */
  payload_rejected: { readonly problem: string };
}
/** Codes of thrown `CodeModeError`s. */
export type ErrorCode = keyof ErrorDetails;

/** One row of the error table: who sees it, whether trying again can help, whether the run survives. */
export interface ErrorCodeRow {
  readonly seenAs: "result" | "thrown" | "both";
  readonly isRetryable: boolean;
  readonly runSurvives: boolean;
  readonly meaning: string;
}

/** Every code there is, thrown or in a result. */
export const ERROR_CODES: Readonly<Record<CodeModeErrorCode | ErrorCode, ErrorCodeRow>> = {
  invalid_input: row("result", true, true, "The arguments of exec or wait, or the source, cannot be used."),
  runtime_unavailable: row(
    "both",
    true,
    false,
    "The engine or its worker could not start, crashed, or cannot restore.",
  ),
  aborted: row("result", false, false, "The caller cancelled the call, or the run was closed."),
  timeout: row("result", true, false, "The deadline of the call passed."),
  output_limit_exceeded: row("result", true, false, "The result's envelope alone exceeds what the model may be given."),
  snapshot_limit_exceeded: row("both", true, false, "The cell is too large to be parked."),
  internal_error: row("result", false, false, "The host met a fault of its own."),
  invalid_argument: row("thrown", false, true, "A host call was made with unusable arguments or configuration."),
  closed: row("thrown", false, false, "The object was closed before the call."),
  malformed_message: row(
    "thrown",
    false,
    false,
    "A worker, store or server sent something that is not of the declared shape.",
  ),
  snapshot_incompatible: row("thrown", false, false, "Parked bytes are damaged or of another engine build."),
  mcp_server_failed: row("thrown", true, true, "An MCP server could not be started, listed or called."),
  payload_rejected: row("thrown", false, true, "A provider request does not hold exactly the approved tools."),
};

function row(
  seenAs: ErrorCodeRow["seenAs"],
  isRetryable: boolean,
  runSurvives: boolean,
  meaning: string,
): ErrorCodeRow {
  return { seenAs, isRetryable, runSurvives, meaning };
}
