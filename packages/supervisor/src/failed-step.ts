import type { CellFailure, CellStep, OutputDelta } from "@codemode/protocol";

/** What a cell still brought before it failed. */
export interface StepProgress {
  readonly output: OutputDelta;
  readonly guestMs: number;
}

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

/** The start of a cell that no worker was free for; the cell is as it was. */
export function refusedStep(failure: CellFailure): CellStep {
  return { type: "refused", failure, output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };
}

export function failedStep(failure: CellFailure, progress?: StepProgress): CellStep {
  return {
    type: "failed",
    failure,
    output: progress?.output ?? { items: [], omittedItems: 0, omittedBytes: 0 },
    guestMs: progress?.guestMs ?? 0,
  };
}
