import { types } from "node:util";
import { CodeModeError, type CellFailure, type CodeModeErrorCode } from "@codemode/protocol";
import { toPlainError } from "@codemode/bridge";
import { CutShort } from "./cut-short.js";

/** The messages of refused waits and suspensions: part of the contract. */
export const MESSAGES = {
  runIdMissing: "runId must be a non-empty string.",
  unavailable: "code mode run is unavailable or expired.",
  wrongAgentRun: "code mode run belongs to a different agent run.",
  wrongSession: "code mode run belongs to a different session.",
  inFlight: "code mode run is already being resumed.",
  tooManySuspended: "too many suspended code mode runs.",
  tooManySuspendedInSession: "too many suspended code mode runs in this session.",
} as const;

/** A request that was refused before a cell was evaluated. */
export function inputFailure(message: string): CellFailure {
  return { message, code: "invalid_input", phase: "input" };
}

/** The store no longer has a cell somebody works on: unlike a refused wait it ends the cell, and calls may have run. */
export function lostFailure(): CellFailure {
  return { ...inputFailure(MESSAGES.unavailable), phase: "host" };
}

export function cancelledFailure(): CellFailure {
  return abortedFailure("the call was cancelled");
}

export function abortedFailure(reason: string): CellFailure {
  return { message: `code mode cell was aborted: ${reason}`, code: "aborted", phase: "host" };
}

/** Anything thrown by the executor, the store or our own code; a wait that was cut short says why itself. */
export function hostFailure(error: unknown): CellFailure {
  if (types.isNativeError(error) && error instanceof CutShort) return error.failure;
  const { name, message } = toPlainError(error);
  return { message: `${name}: ${message}`, code: codeOf(error), phase: "host" };
}

/** The worker sent what no worker of ours sends. */
export function malformedFailure(problem: string): CellFailure {
  const message = `Malformed message from the worker: ${problem}.`;
  return hostFailure(new CodeModeError("malformed_message", message, { from: "worker", problem }));
}

/** What was thrown may be a proxy whose traps throw: only a real error is looked at. */
function codeOf(error: unknown): CodeModeErrorCode {
  if (!types.isNativeError(error) || !CodeModeError.isInstance(error)) return "internal_error";
  switch (error.code) {
    case "runtime_unavailable":
    case "snapshot_incompatible":
    case "closed":
      return "runtime_unavailable";
    case "snapshot_limit_exceeded":
      return "snapshot_limit_exceeded";
    default:
      return "internal_error";
  }
}
