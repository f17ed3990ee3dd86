export interface PacedQueueOptions<T> {
  /** Must not throw. */
  readonly deliver: (item: T) => void;
  /** More than can be delivered at once is there, until `onEmpty`. */
  readonly onFull: () => void;
  readonly onEmpty: () => void;
  /** Monotonic, in ms. */
  readonly now: () => number;
}

/** Hands items on in order, and lets everything else have its turn in between. */
export interface PacedQueue<T> {
  push(items: Iterable<T>): void;
  /** Settles once nothing that was pushed is left. */
  drained(): Promise<void>;
}

/** Time of one turn, in ms. */
const TURN_MS = 8;

/** The first turn is at once, so that a few items cost no delay. */
export function createPacedQueue<T>({ deliver, onFull, onEmpty, now }: PacedQueueOptions<T>): PacedQueue<T> {
  const items: Iterator<T>[] = [];
  let isWaiting = false;
  let waiters: (() => void)[] = [];

  function turn(): void {
    const endsAt = now() + TURN_MS;
    for (let [first] = items; first !== undefined; [first] = items) {
      const next = first.next();
      if (next.done === true) items.shift();
      else {
        deliver(next.value);
        if (now() >= endsAt) return pause();
      }
    }
    if (isWaiting) onEmpty();
    isWaiting = false;
    for (const wake of waiters) wake();
    waiters = [];
  }

  function pause(): void {
    if (!isWaiting) onFull();
    isWaiting = true;
    setImmediate(turn);
  }

  return {
    push(more) {
      items.push(more[Symbol.iterator]());
      if (!isWaiting) turn();
    },
    drained: () => (isWaiting ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
  };
}
