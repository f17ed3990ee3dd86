/** Monotonic time. */
export interface MonotonicClock {
  /** Milliseconds since an arbitrary origin; never goes back. */
  now(): number;
}

/** When a server that is gone may be started again. */
export interface RestartBackoff {
  /** A life has begun. */
  started(): void;
  /** The life that began last is over. */
  ended(): void;
  /** An attempt to begin one has failed. */
  failed(): void;
  /** Time until the next attempt may be made, in whole ms; 0 when it may be made now. */
  pauseMs(): number;
}

/** A life as long as this, in ms, makes up for every mishap before. */
const STABLE_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** The first mishap after a stable life costs no pause, those after it 500 ms, 1 s and so on, up to 30 s. */
export function createRestartBackoff(clock: MonotonicClock): RestartBackoff {
  let startedAt = clock.now();
  let opensAt = startedAt;
  let mishaps = 0;

  function failed(): void {
    const pauseMs = mishaps === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (mishaps - 1), MAX_PAUSE_MS);
    opensAt = clock.now() + pauseMs;
    mishaps += 1;
  }

  return {
    started: () => (startedAt = clock.now()),
    ended() {
      if (clock.now() - startedAt >= STABLE_MS) mishaps = 0;
      failed();
    },
    failed,
    pauseMs: () => Math.max(0, Math.ceil(opensAt - clock.now())),
  };
}
