import type { Clock } from "./clock.js";
import type { BudgetShare } from "./run-budget.js";

const MAX_MARGIN_MS = 250;

/**
 * The budget of one exec or wait: monotonic, and it stands still while it is suspended. Owned by its call, which
 * disposes it. Holds the process open while it runs.
 */
export interface CallDeadline {
  /** Budget left, in ms; never negative. */
  remainingMs(): number;
  /** Budget left until the margin, in ms; never negative. */
  untilMarginMs(): number;
  /** Whether so little is left that a cell which waits must be parked: min(250 ms, half of the budget). */
  isInMargin(): boolean;
  isSuspended(): boolean;
  /** Time for which the budget stood still, in ms. */
  suspendedMs(): number;
  /** Stops or restarts the budget. Idempotent. */
  setSuspended(isSuspended: boolean): void;
  dispose(): void;
}

export interface CallDeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Called once, when the margin is reached. */
  onMargin(): void;
  /** Is suspended with the budget, and left with it. */
  readonly share?: BudgetShare;
}

export function createCallDeadline({ clock, timeoutMs, onMargin, share }: CallDeadlineOptions): CallDeadline {
  const marginMs = Math.min(MAX_MARGIN_MS, timeoutMs / 2);
  const startedAt = clock.now();
  let suspendedBeforeMs = 0;
  let suspendedSince: number | undefined;
  let cancelAlarm = (): void => {};

  const suspendedMs = (): number =>
    suspendedBeforeMs + (suspendedSince === undefined ? 0 : clock.now() - suspendedSince);
  const remainingMs = (): number => Math.max(0, timeoutMs - (clock.now() - startedAt - suspendedMs()));
  const untilMarginMs = (): number => Math.max(0, remainingMs() - marginMs);
  const isInMargin = (): boolean => untilMarginMs() === 0;

  // Timers may fire a little early against the monotonic clock, hence the second look.
  function arm(): void {
    const alarm = (): void => (isInMargin() ? onMargin() : arm());
    cancelAlarm = clock.schedule(alarm, Math.ceil(untilMarginMs()), { keepsAlive: true });
  }

  arm();
  return {
    remainingMs,
    untilMarginMs,
    isInMargin,
    isSuspended: () => suspendedSince !== undefined,
    suspendedMs,
    setSuspended(isSuspended) {
      if (isSuspended === (suspendedSince !== undefined)) return;
      if (suspendedSince === undefined) {
        cancelAlarm();
        suspendedSince = clock.now();
      } else {
        suspendedBeforeMs = suspendedMs();
        suspendedSince = undefined;
        arm();
      }
      share?.setSuspended(isSuspended);
    },
    dispose() {
      cancelAlarm();
      share?.leave();
    },
  };
}
