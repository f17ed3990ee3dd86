import type { WorkerTask } from "@codemode/protocol";
import { Worker, type MessagePort } from "node:worker_threads";
import { threadEnvironment } from "./thread-environment.js";

/** A compile task that states how long the source may be, in UTF-8 bytes. */
export type CompileTask = Extract<WorkerTask, { type: "compile" }>;

export interface WorkerThreadOptions {
  /** Module that the thread runs; see `SupervisorOptions`. */
  readonly workerUrl: URL;
  /** Size of the thread's native stack, in MiB. Default: Node's. */
  readonly stackSizeMb?: number;
}

/** One worker thread. Owned: terminate it. */
export interface WorkerThread {
  /** The answer to a first task that compiles. Never settles when the thread ends before; watch `exited`. */
  readonly firstAnswer: Promise<unknown>;
  /** Settles when the thread is gone, with the error it ended by, if any. Never rejects. */
  readonly exited: Promise<unknown>;
  /** Hands over one more task to compile, and gives its answer; only when the one before was answered. */
  run(task: CompileTask): Promise<unknown>;
  /** Whether the thread keeps the process alive; it does to begin with, and while it compiles. */
  setKeepsProcessAlive(isKept: boolean): void;
  /** Ends the thread whatever it does. `exited` tells when it is dead; the process stays alive until then. */
  terminate(): void;
}

/** Starts a thread with its first task. Of the process it gets no flags, and no environment but `threadEnvironment`. */
export function startThread(
  { workerUrl, stackSizeMb }: WorkerThreadOptions,
  firstTask: WorkerTask<MessagePort>,
): WorkerThread {
  let worker: Worker;
  try {
    worker = new Worker(workerUrl, {
      workerData: firstTask,
      transferList: firstTask.type === "serve" ? [firstTask.port] : [],
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: stackSizeMb === undefined ? {} : { stackSizeMb },
    });
  } catch (error) {
    // The system has no thread left to give.
    return threadThatNeverWas(error);
  }
  let endedBy: unknown;
  worker.on("error", (error: unknown) => (endedBy ??= error));
  const exited = new Promise<unknown>((resolve) => worker.once("exit", () => resolve(endedBy)));
  const setKeepsProcessAlive = (isKept: boolean) => {
    if (isKept) worker.ref();
    else worker.unref();
  };
  const terminate = () => {
    setKeepsProcessAlive(true);
    void worker.terminate();
  };
  const answers = awaitAnswers(worker, { onSurplus: terminate });
  const answerOnce = async () => {
    const answer = await answers.next();
    setKeepsProcessAlive(false);
    return answer;
  };
  return {
    firstAnswer: firstTask.type === "serve" ? never() : answerOnce(),
    exited,
    run(task) {
      setKeepsProcessAlive(true);
      worker.postMessage(task);
      return answerOnce();
    },
    setKeepsProcessAlive,
    terminate,
  };
}

/** Hands each message of a thread to whoever waits for it; one that nobody waits for is a fault. */
function awaitAnswers(worker: Worker, { onSurplus }: { onSurplus: () => void }): { next(): Promise<unknown> } {
  let take: ((answer: unknown) => void) | undefined;
  const settle = (answer: unknown) => {
    const waiting = take ?? onSurplus;
    take = undefined;
    waiting(answer);
  };
  worker.on("message", settle);
  worker.on("messageerror", () => settle(undefined));
  return { next: () => new Promise((resolve) => (take = resolve)) };
}

const never = () => new Promise<never>(() => {});

function threadThatNeverWas(error: unknown): WorkerThread {
  const idle = () => {};
  return {
    firstAnswer: never(),
    exited: Promise.resolve(error),
    run: never,
    setKeepsProcessAlive: idle,
    terminate: idle,
  };
}
