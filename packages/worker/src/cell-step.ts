import { toPlainError } from "@codemode/bridge";
import {
  CodeModeError,
  type CellFailure,
  type CellStep,
  type CodeModeErrorCode,
  type EnginePosition,
  type SourceLocation,
  type VmStep,
} from "@codemode/protocol";
import { readSourceRefusal } from "./source-refusal.js";

/** A VM's step as the host gets it: the engine's positions become places in the submitted source. */
export function toCellStep(step: VmStep, locate: (position: EnginePosition) => SourceLocation | undefined): CellStep {
  if (step.type !== "failed") return step as CellStep;
  const { position, ...failure } = step.failure;
  const location = position === undefined ? undefined : locate(position);
  return { ...step, failure: location === undefined ? failure : { ...failure, location } };
}

export function failedStep(failure: CellFailure): CellStep {
  return { type: "failed", failure, ...NOTHING_DONE };
}

export function refusedStep(failure: CellFailure): CellStep {
  return { type: "refused", failure, ...NOTHING_DONE };
}

const NOTHING_DONE = { output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };

/** Anything thrown on the way to a step: a refused source, or a fault of engine or adapter. */
export function failureOf(error: unknown): CellFailure {
  const refusal = readSourceRefusal(error);
  if (refusal !== undefined) return { ...refusal, phase: "input" };
  const { name, message } = toPlainError(error);
  return { message: `${name}: ${message}`, code: codeOf(error), phase: "host" };
}

function codeOf(error: unknown): CodeModeErrorCode {
  if (!CodeModeError.isInstance(error)) return "internal_error";
  switch (error.code) {
    case "runtime_unavailable":
    case "snapshot_incompatible":
      return "runtime_unavailable";
    case "snapshot_limit_exceeded":
      return "snapshot_limit_exceeded";
    default:
      return "internal_error";
  }
}
