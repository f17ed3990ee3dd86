import { readdirSync } from "node:fs";
import type { Worker } from "node:worker_threads";

/** The worker threads of this process. */
export interface ThreadWatch {
  /** Ids of those that have not ended. */
  alive(): readonly number[];
  /**
   * Ends a thread whatever it does, as an outside fault would; settles when it is dead. Undefined when it is not alive.
   */
  kill(threadId: number): Promise<unknown> | undefined;
  /** Threads started so far. */
  started(): number;
  stop(): void;
}

export function watchThreads(): ThreadWatch {
  const alive = new Map<number, Worker>();
  let started = 0;
  const onWorker = (worker: Worker): void => {
    const { threadId } = worker;
    started += 1;
    alive.set(threadId, worker);
    worker.once("exit", () => alive.delete(threadId));
  };
  process.on("worker", onWorker);
  return {
    alive: () => [...alive.keys()],
    kill: (threadId) => alive.get(threadId)?.terminate(),
    started: () => started,
    stop: () => void process.off("worker", onWorker),
  };
}

/** Threads of the process as the system counts them, with those of Node itself; undefined where it does not tell. */
export function systemThreads(): number | undefined {
  return process.platform === "linux" ? readdirSync("/proc/self/task").length : undefined;
}
