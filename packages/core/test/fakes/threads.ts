import { afterEach, beforeEach } from "vitest";
import type { Worker } from "node:worker_threads";

/** The worker threads that are started during a test and have not ended. */
export function watchThreads(): ReadonlySet<Worker> {
  const alive = new Set<Worker>();
  const onWorker = (worker: Worker): void => {
    alive.add(worker);
    worker.once("exit", () => alive.delete(worker));
  };
  beforeEach(() => {
    alive.clear();
    process.on("worker", onWorker);
  });
  afterEach(() => void process.off("worker", onWorker));
  return alive;
}
