import type { CallAbort } from "./call-abort.js";

/**
 * Keeps calls of `sequential` tools apart from every other call of a run, also across its cells. First come, first
 * served: nothing overtakes a sequential call that waits.
 */
export interface SequenceGate {
  /**
   * Waits for admission; call the result when the call has ended. An abort ends the visit too, so that a tool which
   * never settles cannot hold the gate for a call nobody waits for.
   *
   * @throws the abort's reason, when it comes first.
   */
  enter(mode: "parallel" | "sequential", abort: CallAbort): Promise<() => void>;
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

  function take(isSequential: boolean, abort: CallAbort): () => void {
    if (isSequential) isSequentialInside = true;
    else parallelInside++;
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      withdraw();
      if (isSequential) isSequentialInside = false;
      else parallelInside--;
      admitNext();
    };
    const withdraw = abort.onAbort(leave);
    return leave;
  }

  function admitNext(): void {
    for (let next = queue[0]; next !== undefined && isFreeFor(next.isSequential); next = queue[0]) {
      queue.shift();
      next.admit();
    }
  }

  function queueUp(isSequential: boolean, abort: CallAbort): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const withdraw = abort.onAbort((reason) => {
        queue.splice(queue.indexOf(visitor), 1);
        reject(reason);
        admitNext();
      });
      const visitor: Visitor = {
        isSequential,
        admit() {
          withdraw();
          resolve(take(isSequential, abort));
        },
      };
      queue.push(visitor);
    });
  }

  return {
    async enter(mode, abort) {
      abort.throwIfAborted();
      const isSequential = mode === "sequential";
      if (queue.length === 0 && isFreeFor(isSequential)) return take(isSequential, abort);
      return queueUp(isSequential, abort);
    },
  };
}
