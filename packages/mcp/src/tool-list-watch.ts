/** What a re-reading of a server's tools needs. */
export interface ToolListWatchOptions {
  /** Reads the whole list again and takes it over. Never rejects. */
  readonly read: () => Promise<void>;
  /** Least time between two readings, in ms. */
  readonly minIntervalMs: number;
}

/** Owned: `stop` it. */
export interface ToolListWatch {
  /** The server says that its tools changed. */
  changed(): void;
  stop(): void;
}

/**
 * Reads a server's tools again when it says that they changed: one reading at a time, one more for all changes told
 * meanwhile. A server that never stops telling costs one reading per interval.
 */
export function watchToolList({ read, minIntervalMs }: ToolListWatchOptions): ToolListWatch {
  let isStopped = false;
  let isReading = false;
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isStopped || isReading || timer !== undefined || !isStale) return;
    timer = setTimeout(() => void readOnce(), minIntervalMs).unref();
  }

  async function readOnce(): Promise<void> {
    timer = undefined;
    isStale = false;
    isReading = true;
    await read();
    isReading = false;
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
    },
  };
}
