// Invariant: the only importer of tinypool. Each thread is a Tinypool of one, so that an error, an exit and a
// termination belong to exactly one thread and nothing ever waits in Tinypool's own queue.
import type { WorkerTask } from "@codemode/protocol";
import type { MessagePort } from "node:worker_threads";
import { Tinypool } from "tinypool";
import { createTaskQueue } from "./task-queue.js";

export interface WorkerThreadOptions {
  /** Module whose default export handles tasks. */
  readonly workerUrl: URL;
  /** Size of the thread's native stack, in MiB. Default: Node's. */
  readonly stackSizeMb?: number;
}

/** One worker thread. Owned: terminate it. */
export interface WorkerThread {
  /** The first task's result. Does not settle when the thread exits by itself; watch `exited`. */
  readonly firstResult: Promise<unknown>;
  /** Settles when the thread is gone, with the error it ended by, if any. Never rejects. */
  readonly exited: Promise<unknown>;
  /** Hands over one more task; only when the one before has settled. */
  run(task: WorkerTask<MessagePort>): Promise<unknown>;
  /** Whether the task under way keeps the process alive; it does to begin with. */
  setKeepsProcessAlive(isKept: boolean): void;
  /** Ends the thread whatever it does. `exited` tells when it is dead; the process stays alive until then. */
  terminate(): void;
}

/** Starts a thread with its first task. Neither the environment nor the flags of this process reach it. */
export function startThread(options: WorkerThreadOptions, firstTask: WorkerTask<MessagePort>): WorkerThread {
  const taskQueue = createTaskQueue();
  const pool = new Tinypool({
    filename: options.workerUrl.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: LONGEST_TIMER_MS,
    // Without it an idle thread blocks in Atomics.wait; Deno needs it off.
    useAtomics: false,
    taskQueue,
    env: {},
    execArgv: [],
    resourceLimits: options.stackSizeMb === undefined ? {} : { stackSizeMb: options.stackSizeMb },
  });
  let endedBy: unknown;
  // A thread that fails while it loads, or while idle, is reported here and nowhere else.
  pool.on("error", (error: unknown) => (endedBy ??= error));
  const run = (task: WorkerTask<MessagePort>) =>
    pool.run(task, { transferList: task.type === "serve" ? [task.port] : [] }) as Promise<unknown>;

  let firstResult: Promise<unknown>;
  try {
    firstResult = run(firstTask);
  } catch (error) {
    // The system has no thread left to give.
    return threadThatNeverWas(error);
  }
  firstResult.catch((error: unknown) => (endedBy ??= error));
  const [thread] = pool.threads;
  if (thread === undefined) return threadThatNeverWas(new Error("Tinypool started no thread."));
  let isGone = false;
  let isDestroyed = false;
  const destroy = (): void => {
    if (isDestroyed) return;
    isDestroyed = true;
    // Never settles when the thread ends, or ended, by itself.
    void pool.destroy();
  };
  const exited = new Promise<unknown>((resolve) => {
    thread.once("exit", () => {
      isGone = true;
      resolve(endedBy);
      // Else Tinypool keeps the timer of an idle thread that died, and with it the pool.
      destroy();
    });
  });
  return {
    firstResult,
    exited,
    // Tinypool would start another thread for a task that comes between this one's failure and its exit.
    run: (task) => (isGone || endedBy !== undefined ? Promise.reject(new Error("The thread has ended.")) : run(task)),
    setKeepsProcessAlive: (isKept) => taskQueue.setKeepsProcessAlive(isKept),
    terminate() {
      if (isGone) return;
      // The thread itself is unreferenced: without the timer the process could end before `exited` settles.
      const hold = setInterval(() => {}, LONGEST_TIMER_MS);
      void exited.then(() => clearInterval(hold));
      destroy();
    },
  };
}

function threadThatNeverWas(error: unknown): WorkerThread {
  const reason = error instanceof Error ? error : new Error("the thread could not be made", { cause: error });
  const fail = () => Promise.reject(reason);
  const firstResult = fail();
  firstResult.catch(() => {});
  const idle = () => {};
  return { firstResult, exited: Promise.resolve(error), run: fail, setKeepsProcessAlive: idle, terminate: idle };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
