import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

// What worker threads tell the soak while they live, in memory they share with it: a thread that is killed cannot send.

const ENVIRONMENT_KEY = "codemode-soak-pages";
const MAX_THREADS = 65_536;
const FIELDS = 3;
const [OPENED, DISPOSED, LEFT] = [0, 1, 2];

/** Memory all threads write to, and the soak reads. */
export interface ThreadPages {
  /** The thread a cell was last evaluated on. A resumed cell does not tell. */
  threadOf(cell: number): number | undefined;
  /** Whether the thread has disposed all VMs it has opened. */
  isAtRest(threadId: number): boolean;
  /** VMs that all threads opened. */
  opened(): number;
  /** Handles that threads held when they had no VM any more. */
  leftHandles(): number;
}

/** One thread's part. */
export interface ThreadPage {
  onEvaluate(cell: number): void;
  onOpen(): void;
  /** `leftHandles`: those the engine adapter still counts, when this was the last VM. */
  onDispose(leftHandles: number): void;
}

/** Shares pages with the threads that are started from now on. */
export function createThreadPages(cells: number): ThreadPages {
  const threads = new Int32Array(new SharedArrayBuffer(MAX_THREADS * FIELDS * Int32Array.BYTES_PER_ELEMENT));
  const byCell = new Int32Array(new SharedArrayBuffer((cells + 1) * Int32Array.BYTES_PER_ELEMENT));
  setEnvironmentData(ENVIRONMENT_KEY, { threads, byCell });
  const sumOf = (field: number): number => {
    let sum = 0;
    for (let at = field; at < threads.length; at += FIELDS) sum += Atomics.load(threads, at);
    return sum;
  };
  return {
    threadOf: (cell) => Atomics.load(byCell, cell) || undefined,
    isAtRest(threadId) {
      const at = threadId * FIELDS;
      return Atomics.load(threads, at + OPENED) === Atomics.load(threads, at + DISPOSED);
    },
    opened: () => sumOf(OPENED),
    leftHandles: () => sumOf(LEFT),
  };
}

/** The page of this thread. Only on a thread of a process that created pages. */
export function openThreadPage(threadId: number): ThreadPage {
  const { threads, byCell } = getEnvironmentData(ENVIRONMENT_KEY) as unknown as Record<
    "threads" | "byCell",
    Int32Array
  >;
  const at = threadId * FIELDS;
  if (at >= threads.length) throw new RangeError(`thread ${threadId} is beyond the ${MAX_THREADS} the soak can follow`);
  return {
    onEvaluate: (cell) => void Atomics.store(byCell, cell, threadId),
    onOpen: () => void Atomics.add(threads, at + OPENED, 1),
    onDispose(leftHandles) {
      Atomics.store(threads, at + LEFT, leftHandles);
      Atomics.add(threads, at + DISPOSED, 1);
    },
  };
}
