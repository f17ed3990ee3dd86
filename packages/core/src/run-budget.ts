import type { RunBudget } from "./options.js";

/** One exec, wait or direct call's part in whether the host's run budget stands still. */
export interface BudgetShare {
  setSuspended(isSuspended: boolean): void;
  /** The call is over. Idempotent. */
  leave(): void;
}

/** Adds up the calls of one run: its budget stands still while there are some and all of them stand still. */
export interface RunBudgetGuard {
  enter(): BudgetShare;
}

/** What `budget` throws goes to `reportFault`. */
export function createRunBudgetGuard(budget: RunBudget, reportFault: (fault: unknown) => void): RunBudgetGuard {
  let entered = 0;
  let suspended = 0;
  let isStill = false;

  function update(): void {
    const isStillNow = entered > 0 && suspended === entered;
    if (isStillNow === isStill) return;
    isStill = isStillNow;
    try {
      if (isStill) budget.suspend();
      else budget.resume();
    } catch (error) {
      reportFault(error);
    }
  }

  return {
    enter() {
      let isInside = true;
      let isSuspended = false;
      entered++;
      update();
      const setSuspended = (wanted: boolean): void => {
        if (!isInside || wanted === isSuspended) return;
        isSuspended = wanted;
        suspended += wanted ? 1 : -1;
        update();
      };
      return {
        setSuspended,
        leave() {
          if (!isInside) return;
          if (isSuspended) suspended--;
          isInside = false;
          entered--;
          update();
        },
      };
    },
  };
}

/** Suspends a call's share, if there is one, until the promise settles. For a call that has no budget but the run's. */
export function createShareSuspension(share: BudgetShare | undefined): (whileWaiting: Promise<void>) => Promise<void> {
  let people = 0;
  return async (whileWaiting) => {
    share?.setSuspended(++people > 0);
    try {
      await whileWaiting;
    } finally {
      share?.setSuspended(--people > 0);
    }
  };
}
