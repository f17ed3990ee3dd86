import type { SoakHost } from "./soak-host.js";
import type { ThreadPages } from "./thread-pages.js";
import type { ThreadWatch } from "./threads.js";
import type { TimerWatch } from "./watch-timers.js";
import { getEventListeners } from "node:events";

/** What a checkpoint looks at. */
export interface CheckpointParts {
  readonly soak: SoakHost;
  readonly threads: ThreadWatch;
  readonly pages: ThreadPages;
  readonly timers: TimerWatch;
  /** Timers that were armed before the host was made. */
  readonly ownTimers: number;
  /** A signal that many calls of the batch had. */
  readonly sharedSignal: AbortSignal;
}

const REST_LIMIT_MS = 15_000;

/**
 * What is left behind while no cell is open; empty when nothing is. Threads may take a moment to dispose the last VM or
 * to end, so what is not in order is looked at again for some seconds.
 */
export async function findLeftovers(parts: CheckpointParts, restLimitMs = REST_LIMIT_MS): Promise<string[]> {
  const until = performance.now() + restLimitMs;
  let leftovers = look(parts);
  while (leftovers.length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    leftovers = look(parts);
  }
  return leftovers;
}

function look({ soak, threads, pages, timers, ownTimers, sharedSignal }: CheckpointParts): string[] {
  const { workers, busy, queued } = soak.pool.stats();
  const alive = threads.alive();
  const busyThreads = alive.filter((threadId) => !pages.isAtRest(threadId)).length;
  // The thread that compiles is no worker.
  const extraThreads = alive.length - workers;
  // Each idle thread has a timer that retires it.
  const armed = timers.active();
  const extraTimers = Math.max(0, armed.length - ownTimers - alive.length);
  const found: readonly (readonly [string, number])[] = [
    ["cells without an end", soak.events.openCells()],
    ["nested calls without an end", soak.events.openCalls()],
    ["sessions", soak.executor.sessions()],
    ["workers that hold a cell", busy],
    ["cells in the queue", queued],
    ["store entries", soak.store.entries()],
    ["leases", soak.store.leases()],
    ["threads with a VM", busyThreads],
    ["engine handles", pages.leftHandles()],
    ["threads beyond the pool and its compiler", Math.max(0, extraThreads - 1)],
    ["workers without a thread", Math.max(0, -extraThreads)],
    [`timers among those of ${armed.join(", ")} ms`, extraTimers],
    ["listeners on a shared signal", getEventListeners(sharedSignal, "abort").length],
  ];
  return found.flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
}
