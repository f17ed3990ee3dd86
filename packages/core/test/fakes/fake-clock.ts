import type { Clock } from "../../src/clock.js";

interface Alarm {
  readonly dueAt: number;
  readonly action: () => void;
}

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves on, runs what becomes due in order, and lets what each timer started come to rest. */
  advance(ms: number): Promise<void>;
  /** Moves on without running anything, as a guest that computes does. */
  burn(ms: number): void;
  /** Moves on and runs what becomes due in order, letting nothing come to rest. */
  jump(ms: number): void;
  armed(): number;
}

export function createFakeClock(): FakeClock {
  let now = 1_000;
  const alarms = new Set<Alarm>();

  function nextDue(until: number): Alarm | undefined {
    return [...alarms].filter((alarm) => alarm.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  }

  return {
    now: () => now,
    schedule(action, delayMs) {
      const alarm = { dueAt: now + delayMs, action };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    async advance(ms) {
      const until = now + ms;
      await settled();
      for (let alarm = nextDue(until); alarm !== undefined; alarm = nextDue(until)) {
        alarms.delete(alarm);
        now = Math.max(now, alarm.dueAt);
        alarm.action();
        await settled();
      }
      now = Math.max(now, until);
      await settled();
    },
    burn(ms) {
      now += ms;
    },
    jump(ms) {
      now += ms;
      for (let alarm = nextDue(now); alarm !== undefined; alarm = nextDue(now)) {
        alarms.delete(alarm);
        alarm.action();
      }
    },
    armed: () => alarms.size,
  };
}

/** Lets promises and fake guest steps come to rest. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
}
