/** Monotonic time and one-shot timers that stand still until a test moves them. */
export interface FakeClock {
  /** Milliseconds since an arbitrary origin. */
  now(): number;
  /** Runs `action` once, `delayMs` from now. The returned function cancels it and is idempotent. */
  schedule(action: () => void, delayMs: number): () => void;
  /** Moves on, runs what becomes due in order of time, and lets the promises each timer started come to rest. */
  advance(ms: number): Promise<void>;
  /** Moves on without running anything, as a host that is busy does. */
  skip(ms: number): void;
  /** Timers that are set and have not run. */
  pendingTimers(): number;
}

interface Timer {
  readonly dueAt: number;
  readonly action: () => void;
}

/** @param startMs First reading. Not zero by default, so that a test notices a missing origin. */
export function createFakeClock(startMs = 1_000): FakeClock {
  let now = startMs;
  const timers = new Set<Timer>();

  function nextDue(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueAt <= until && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }

  return {
    now: () => now,
    schedule(action, delayMs) {
      const timer = { dueAt: now + Math.max(0, delayMs), action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const until = now + ms;
      await settled();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.dueAt);
        timer.action();
        await settled();
      }
      now = until;
    },
    skip(ms) {
      now += ms;
    },
    pendingTimers: () => timers.size,
  };
}

/** Lets promises come to rest: a few turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
}
