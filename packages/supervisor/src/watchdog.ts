/** The hard timer over one step. It does not keep the process alive. Owned: dispose it. */
export interface Watchdog {
  /** (Re)starts it: `onOverrun` runs once, `afterMs` from now, unless it is disarmed before. */
  arm(afterMs: number): void;
  disarm(): void;
  /** Disarms it for good. */
  dispose(): void;
}

/** Steps are short and budgets long, so one timer serves many steps: it looks again when it finds that it came too early. */
export function createWatchdog(onOverrun: () => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires, and when it ought to, on the monotonic clock in ms; the latter is infinite while disarmed. */
  let firesAt = Infinity;
  let overrunAt = Infinity;

  function start(afterMs: number): void {
    clearTimeout(timer);
    firesAt = performance.now() + afterMs;
    timer = setTimeout(onTimer, afterMs).unref();
  }

  function onTimer(): void {
    timer = undefined;
    firesAt = Infinity;
    if (overrunAt === Infinity) return;
    const leftMs = overrunAt - performance.now();
    if (leftMs > 0) return start(Math.ceil(leftMs));
    overrunAt = Infinity;
    onOverrun();
  }

  return {
    arm(afterMs) {
      overrunAt = performance.now() + afterMs;
      if (firesAt > overrunAt) start(afterMs);
    },
    disarm() {
      overrunAt = Infinity;
    },
    dispose() {
      overrunAt = firesAt = Infinity;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
