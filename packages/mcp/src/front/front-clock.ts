/** Time as the front needs it. Injected, so that tests own it. */
export interface FrontClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `action` once after `delayMs`. The returned function cancels it and is idempotent. Holds no process open. */
  schedule(action: () => void, delayMs: number): () => void;
}

export const systemClock: FrontClock = {
  now: () => Date.now(),
  schedule(action, delayMs) {
    const timer = setTimeout(action, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
