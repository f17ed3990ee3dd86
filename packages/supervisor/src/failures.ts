import type { CellFailure } from "@codemode/protocol";

// Failures of a cell that are not its guest's.
export const ABORTED: CellFailure = { message: "AbortError: the cell was aborted.", code: "aborted", phase: "host" };

export const NO_WORKER: CellFailure = {
  message: "WorkerError: no worker thread could be started.",
  code: "runtime_unavailable",
  phase: "host",
};

export const QUEUE_TIMEOUT: CellFailure = {
  message: "TimeoutError: the deadline passed while the cell waited for a worker.",
  code: "timeout",
  phase: "guest",
};

export const COMPILE_TIMEOUT: CellFailure = {
  message: "TimeoutError: the deadline passed while the source was compiled.",
  code: "timeout",
  phase: "guest",
};

export const COMPILE_TOO_LONG: CellFailure = {
  message: "TimeoutError: the source took too long to compile while other sources waited.",
  code: "timeout",
  phase: "guest",
};

export const COMPILER_UNAVAILABLE: CellFailure = {
  message: "WorkerError: the thread that compiles TypeScript ended or could not be started.",
  code: "runtime_unavailable",
  phase: "host",
};
