import { toPlainError } from "@codemode/bridge";
import {
  CodeModeError,
  type CellFailure,
  type CellStep,
  type CodeModeErrorCode,
  type VmFailure,
  type VmStep,
} from "@codemode/protocol";
import type { ExplainedFailure } from "@codemode/transform";
import { readSourceRefusal } from "./source-refusal.js";

/** A VM's step as the host gets it: a failure speaks of the submitted source. */
export function toCellStep(step: VmStep, explain: (failure: VmFailure) => ExplainedFailure): CellStep {
  if (step.type !== "failed") return step as CellStep;
  const { position: _, ...failure } = step.failure;
  return { ...step, failure: { ...failure, ...explain(step.failure) } };
}

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
