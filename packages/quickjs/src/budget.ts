/** Bounds how long the guest may run in one step. The engine polls `isOver` from its interrupt handler. */
export interface RunBudget {
  /** Whom to ask, beside the clock, while the guest runs. */
  watch(isAborted: (() => boolean) | undefined): void;
  /** Starts a step of `budgetMs` from now. */
  begin(budgetMs: number): void;
  isOver(): boolean;
  /** Why the guest was interrupted in this step. A fact the host set, never read from an error's text. */
  interruption(): "none" | "deadline" | "aborted";
  /** Milliseconds since `begin`. */
  elapsedMs(): number;
}

export function createRunBudget(): RunBudget {
  let isAborted: (() => boolean) | undefined;
  let startedAt = 0;
  let endsAt = 0;
  let interruption: ReturnType<RunBudget["interruption"]> = "none";
  return {
    watch(watched) {
      isAborted = watched;
    },
    begin(budgetMs) {
      startedAt = performance.now();
      endsAt = startedAt + budgetMs;
      interruption = "none";
    },
    isOver() {
      if (interruption !== "none") return true;
      if (isAborted?.() === true) interruption = "aborted";
      else if (performance.now() >= endsAt) interruption = "deadline";
      return interruption !== "none";
    },
    interruption: () => interruption,
    elapsedMs: () => performance.now() - startedAt,
  };
}
