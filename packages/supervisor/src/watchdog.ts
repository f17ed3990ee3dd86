/** The hard timer over one step. Keeps the process alive while armed. */
export interface Watchdog {
  /** (Re)starts it: `onOverrun` runs once, `afterMs` from now, unless it is disarmed before. */
  arm(afterMs: number): void;
  disarm(): void;
}

export function createWatchdog(onOverrun: () => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  return {
    arm(afterMs) {
      clearTimeout(timer);
      timer = setTimeout(onOverrun, afterMs);
    },
    disarm() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
