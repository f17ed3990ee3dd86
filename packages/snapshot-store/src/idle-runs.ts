/** A clock with one-shot timers. */
export interface StoreClock {
  /** Monotonic, in ms. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it. Must not keep the process alive. */
  schedule(action: () => void, delayMs: number): () => void;
}

/** The platform's clock. */
export const SYSTEM_CLOCK: StoreClock = {
  now: () => performance.now(),
  schedule(action, delayMs) {
    const timer: { unref?(): void } | number = setTimeout(action, delayMs);
    if (typeof timer === "object") timer.unref?.();
    return () => clearTimeout(timer as never);
  },
};

export interface IdleRunsOptions<Run> {
  readonly afterMs: number;
  readonly clock: StoreClock;
  /**
   * Called once per idle stretch, for one run at a time. It must stop soon after `needed` resolves, which means that
   * somebody wants the run. Must not reject.
   */
  work(run: Run, needed: Promise<undefined>): Promise<void>;
}

/** Runs that lie untouched, and work on those that have for some time. One that was worked on to the end is forgotten. */
export interface IdleRuns<Run> {
  /** The run lies untouched from now on; it replaces one of the same id. */
  add(run: Run): void;
  /**
   * Somebody wants the run: it does not count as idle until `release`. Where it is being worked on, the promise tells
   * when that is over; undefined where it is not.
   */
  hold(runId: string): Promise<void> | undefined;
  /** Nobody wants the run any more; its time starts again. */
  release(runId: string): void;
  /** The run is gone. */
  remove(runId: string): void;
  clear(): void;
}

interface Entry<Run> {
  readonly run: Run;
  cancelTimer: () => void;
  isHeld: boolean;
  work: { readonly over: Promise<void>; stop(): void } | undefined;
}

export function createIdleRuns<Run extends { readonly runId: string }>(options: IdleRunsOptions<Run>): IdleRuns<Run> {
  const entries = new Map<string, Entry<Run>>();
  /** Settles when no run is being worked on: one at a time, so that the platform's threads are left to others. */
  let last = Promise.resolve();

  function arm(entry: Entry<Run>): void {
    entry.cancelTimer = options.clock.schedule(() => {
      last = last.then(() => workOn(entry));
    }, options.afterMs);
  }

  async function workOn(entry: Entry<Run>): Promise<void> {
    if (entry.isHeld || entries.get(entry.run.runId) !== entry) return;
    let stop = (): void => {};
    const needed = new Promise<undefined>((resolve) => (stop = () => resolve(undefined)));
    const over = options.work(entry.run, needed);
    entry.work = { over, stop };
    await over;
    entry.work = undefined;
    if (!entry.isHeld && entries.get(entry.run.runId) === entry) entries.delete(entry.run.runId);
  }

  function remove(runId: string): void {
    const entry = entries.get(runId);
    if (entry === undefined) return;
    void hold(entry);
    entries.delete(runId);
  }

  return {
    add(run) {
      remove(run.runId);
      const entry: Entry<Run> = { run, cancelTimer: () => {}, isHeld: false, work: undefined };
      entries.set(run.runId, entry);
      arm(entry);
    },
    hold(runId) {
      const entry = entries.get(runId);
      return entry && hold(entry);
    },
    release(runId) {
      const entry = entries.get(runId);
      if (entry === undefined || !entry.isHeld) return;
      entry.isHeld = false;
      arm(entry);
    },
    remove,
    clear() {
      for (const runId of [...entries.keys()]) remove(runId);
    },
  };
}

function hold<Run>(entry: Entry<Run>): Promise<void> | undefined {
  entry.isHeld = true;
  entry.cancelTimer();
  entry.work?.stop();
  return entry.work?.over;
}
