import type { Task, TaskQueue } from "tinypool";

/** The queue Tinypool is given, with a hold on the newest task's channel. */
export interface ObservedTaskQueue extends TaskQueue {
  /** Lets the task keep the process alive, or not. Does nothing before Tinypool handed the task to its thread. */
  setKeepsProcessAlive(isKept: boolean): void;
}

/**
 * Tinypool keeps its channel to a thread referenced for as long as a task runs, and a serve task runs for the thread's
 * whole life: without a way to unreference it an idle worker would hold the process. The queue is the public place
 * where the task object passes by; once posted it knows its channel.
 */
export function createTaskQueue(): ObservedTaskQueue {
  const waiting: Task[] = [];
  let newest: PostedTask | undefined;
  return {
    get size() {
      return waiting.length;
    },
    // Tinypool takes what it asks for only while `size` is above zero.
    shift: () => waiting.shift() ?? null,
    push(task) {
      newest = task;
      waiting.push(task);
    },
    remove(task) {
      const index = waiting.indexOf(task);
      if (index >= 0) waiting.splice(index, 1);
    },
    cancel() {
      for (const task of waiting.splice(0)) task.cancel();
    },
    setKeepsProcessAlive(isKept) {
      if (isKept) newest?.workerInfo?.ref();
      else newest?.workerInfo?.unref();
    },
  };
}

/** What Tinypool adds to a task when it posts it; not in its declared types. */
interface PostedTask extends Task {
  readonly workerInfo?: { ref(): unknown; unref(): unknown } | null;
}
