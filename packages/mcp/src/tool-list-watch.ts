/** What a re-reading of a server's tools needs. */
export interface ToolListWatchOptions {
  /** Reads the whole list again and takes it over. Never rejects. */
  readonly read: () => Promise<void>;
  /** Time from a change to its reading after a rest, in ms. */
  readonly minIntervalMs: number;
  /** The same for a server whose tools change again and again, in ms. */
  readonly maxIntervalMs: number;
}

/** Owned: `stop` it. */
export interface ToolListWatch {
  /** The server says that its tools changed. */
  changed(): void;
  stop(): void;
}

/**
 * Reads a server's tools again when it says that they changed: one reading at a time, one more for all changes told
 * meanwhile. Each reading doubles the interval to the next, up to the longest; a rest twice as long makes it short again.
 */
export function watchToolList({ read, minIntervalMs, maxIntervalMs }: ToolListWatchOptions): ToolListWatch {
  let isStopped = false;
  let isReading = false;
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;
  let intervalMs = minIntervalMs;
  let rest: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isStopped || isReading || timer !== undefined || !isStale) return;
    timer = setTimeout(() => void readOnce(), intervalMs).unref();
  }

  async function readOnce(): Promise<void> {
    timer = undefined;
    isStale = false;
    isReading = true;
    clearTimeout(rest);
    await read();
    isReading = false;
    intervalMs = Math.min(maxIntervalMs, intervalMs * 2);
    rest = setTimeout(() => (intervalMs = minIntervalMs), 2 * intervalMs).unref();
    schedule();
  }

  return {
    changed() {
      isStale = true;
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(rest);
    },
  };
}
