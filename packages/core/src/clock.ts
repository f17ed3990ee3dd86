/** Longest delay a Node timer can hold, about 24.8 days: longer than any parked run lives. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Monotonic time and one-shot timers. Injected, so that tests own the time. */
export interface Clock {
  /** Milliseconds since an arbitrary origin; never goes back. */
  now(): number;
  /**
   * Runs `action` once after `delayMs` (clamped to 2^31 - 1). The returned function cancels it and is idempotent.
   * Only a timer with `keepsAlive` holds the process open.
   */
  schedule(action: () => void, delayMs: number, options?: { readonly keepsAlive?: boolean }): () => void;
}

export function createSystemClock(): Clock {
  return {
    now: () => performance.now(),
    schedule(action, delayMs, options) {
      const timer = setTimeout(action, Math.min(delayMs, MAX_DELAY_MS));
      if (options?.keepsAlive !== true) timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
