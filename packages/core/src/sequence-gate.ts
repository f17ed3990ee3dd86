/**
 * Keeps calls of `sequential` tools apart from every other call of a run, also across its cells. First come, first
 * served: nothing overtakes a sequential call that waits.
 */
export interface SequenceGate {
  /**
   * Waits for admission; call the result when the call has ended. An abort ends the visit too, so that a tool which
   * never settles cannot hold the gate for a call nobody waits for.
   *
   * @throws the signal's reason, when it aborts first.
   */
  enter(mode: "parallel" | "sequential", signal: AbortSignal): Promise<() => void>;
}

interface Visitor {
  readonly isSequential: boolean;
  admit(): void;
}

export function createSequenceGate(): SequenceGate {
  const queue: Visitor[] = [];
  let parallelInside = 0;
  let isSequentialInside = false;

  const isFreeFor = (isSequential: boolean): boolean => !isSequentialInside && !(isSequential && parallelInside > 0);

  function take(isSequential: boolean, signal: AbortSignal): () => void {
    if (isSequential) isSequentialInside = true;
    else parallelInside++;
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      signal.removeEventListener("abort", leave);
      if (isSequential) isSequentialInside = false;
      else parallelInside--;
      admitNext();
    };
    signal.addEventListener("abort", leave, { once: true });
    return leave;
  }

  function admitNext(): void {
    for (let next = queue[0]; next !== undefined && isFreeFor(next.isSequential); next = queue[0]) {
      queue.shift();
      next.admit();
    }
  }

  function queueUp(isSequential: boolean, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        queue.splice(queue.indexOf(visitor), 1);
        reject(signal.reason as Error);
        admitNext();
      };
      const visitor: Visitor = {
        isSequential,
        admit() {
          signal.removeEventListener("abort", onAbort);
          resolve(take(isSequential, signal));
        },
      };
      queue.push(visitor);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  return {
    async enter(mode, signal) {
      signal.throwIfAborted();
      const isSequential = mode === "sequential";
      if (queue.length === 0 && isFreeFor(isSequential)) return take(isSequential, signal);
      return queueUp(isSequential, signal);
    },
  };
}
