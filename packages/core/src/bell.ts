/** Wakes whoever waits for a change. Level-triggered use: ring after the change, look again after each ring. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring. */
  next(): Promise<void>;
}

export function createBell(): Bell {
  let wake: (() => void)[] = [];
  return {
    ring() {
      const woken = wake;
      wake = [];
      for (const resolve of woken) resolve();
    },
    next: () => new Promise((resolve) => wake.push(resolve)),
  };
}
