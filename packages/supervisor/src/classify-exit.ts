import type { CellFailure, WorkerExitReason } from "@codemode/protocol";
import { ABORTED } from "./failures.js";

/** What the end of its worker means for the cell that held it. `fault` says what was wrong with a message. */
export function failureOfExit(reason: WorkerExitReason, fault?: string): CellFailure {
  switch (reason) {
    case "deadline":
      return {
        message: "TimeoutError: the cell did not stop at its deadline, so its worker was ended.",
        code: "timeout",
        phase: "guest",
      };
    case "aborted":
    case "closed":
      return ABORTED;
    case "malformed":
      return {
        message: `WorkerError: the worker broke the message protocol: ${fault ?? "unreadable message"}.`,
        code: "internal_error",
        phase: "host",
      };
    case "idle":
    case "crashed":
      return {
        message: "WorkerError: the worker thread ended before the cell did.",
        code: "runtime_unavailable",
        phase: "host",
      };
  }
}
