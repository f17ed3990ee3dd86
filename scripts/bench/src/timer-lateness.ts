export interface TimerLateness {
  /** How late each firing was, in ms, ascending; at least one. */
  stop(): number[];
}

const TICK_MS = 5;

/** Fires a timer of the host again and again. What keeps the event loop busy makes it late. */
export function watchTimer(): TimerLateness {
  const late: number[] = [];
  let dueAt = performance.now() + TICK_MS;
  let timer = setTimeout(tick, TICK_MS);

  function tick(): void {
    note();
    dueAt = performance.now() + TICK_MS;
    timer = setTimeout(tick, TICK_MS);
  }

  function note(): void {
    late.push(Math.max(0, performance.now() - dueAt));
  }

  return {
    stop() {
      clearTimeout(timer);
      note();
      return late.toSorted((a, b) => a - b);
    },
  };
}
