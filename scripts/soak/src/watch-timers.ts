/** Timers of this process that are armed, those included that do not keep it alive. */
export interface TimerWatch {
  /** Their delays in ms, oldest first. */
  active(): readonly number[];
  stop(): void;
}

/**
 * Stands between the code and `setTimeout`, `setInterval` and their clearing: Node tells only of timers that keep the
 * process alive, and the ones that could leak do not.
 */
export function watchTimers(): TimerWatch {
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  const armed = new Map<unknown, number>();
  const schedule = (action: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]): NodeJS.Timeout => {
    const timer = real.setTimeout(() => {
      armed.delete(timer);
      action(...given);
    }, delayMs);
    armed.set(timer, delayMs);
    return timer;
  };
  const repeat = (action: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]): NodeJS.Timeout => {
    const timer = real.setInterval(action, delayMs, ...given);
    armed.set(timer, delayMs);
    return timer;
  };
  const clear = (timer: NodeJS.Timeout | undefined): void => {
    armed.delete(timer);
    real.clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: schedule, setInterval: repeat, clearTimeout: clear, clearInterval: clear });
  return { active: () => [...armed.values()], stop: () => void Object.assign(globalThis, real) };
}
