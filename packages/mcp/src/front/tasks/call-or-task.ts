import type { CallToolResult } from "@modelcontextprotocol/server";
import { concludeCall, performCall, type CallOutcome, type CallSetting, type FrontCall } from "../perform-call.js";
import { taskAnswer, type ExtensionTasks } from "./task-extension.js";
import type { TaskControl } from "./task-store.js";
import { waitToEnd } from "./wait-to-end.js";

/** One exec or wait of a client that takes a task in place of a result. */
export interface ClientCall extends Omit<FrontCall, "route"> {
  /** Whether the client answers questions. */
  readonly takesForms: boolean;
}

/**
 * Answers in time with the result. A program that needs a wait, or asks the client something, becomes a task, which goes
 * on with it to its end; the answer then says only that it is under way. When too many tasks are under way the client's
 * model waits itself, and the question is cancelled.
 */
export async function callOrTask(
  setting: CallSetting,
  tasks: ExtensionTasks,
  call: ClientCall,
): Promise<CallToolResult> {
  const { name, input } = call;
  const task = prepareTask(tasks, call, () => whole);
  const whole = concludeCall(setting, name, async () => {
    const first = await performCall(setting, { name, input, ...task.following });
    const isTask = task.decide(first.status === "waiting" && !call.signal.aborted);
    return isTask ? waitToEnd(setting, first, task.following) : first;
  });
  const answered = whole.then((outcome) => (task.isStarted() ? task.created : outcome.answer()));
  return Promise.race([task.created, answered]);
}

interface PreparedTask {
  /** What the parts of the program get. */
  readonly following: Required<Pick<FrontCall, "signal" | "listener" | "route">>;
  /** Whether it is a task by now, or because it needs to be. Else it becomes none any more. */
  decide(needsWait: boolean): boolean;
  isStarted(): boolean;
  /** The answer that tells of the task, once it is there. */
  readonly created: Promise<CallToolResult>;
}

/** `whole` is asked for once the task has begun, and is its work. */
function prepareTask(
  { store, inputs }: ExtensionTasks,
  { signal, listener, takesForms }: ClientCall,
  whole: () => Promise<CallOutcome>,
): PreparedTask {
  const ending = new AbortController();
  let begin = (_: TaskControl): void => {};
  const beginning = new Promise<TaskControl>((resolve) => (begin = resolve));
  let create = (_: CallToolResult): void => {};
  const created = new Promise<CallToolResult>((resolve) => (create = resolve));
  let isStarted = false;
  let isDecided = false;
  let tell = listener;
  let lastMessage: string | undefined;

  function work(control: TaskControl): Promise<CallOutcome> {
    const end = (): void => ending.abort(control.signal.reason);
    if (control.signal.aborted) end();
    else control.signal.addEventListener("abort", end, { once: true });
    tell = (message) => control.tell(message);
    if (lastMessage !== undefined) tell(lastMessage);
    begin(control);
    return whole();
  }

  /** Whether it is a task now. */
  function start(): boolean {
    if (isStarted || isDecided) return isStarted;
    const task = store.start(work, undefined);
    if (task === undefined) return false;
    isStarted = true;
    create(taskAnswer(task));
    return true;
  }

  return {
    following: {
      signal: AbortSignal.any([signal, ending.signal]),
      listener(message) {
        lastMessage = message;
        tell?.(message);
      },
      route: {
        takesForms: () => takesForms,
        async ask(form, questionSignal) {
          if (!start()) throw new DOMException("the program is no task and can be none", "AbortError");
          const control = await beginning;
          return control.whileAsking(() => inputs.ask(control.taskId, form, questionSignal));
        },
      },
    },
    decide(needsWait) {
      if (needsWait) start();
      isDecided = true;
      return isStarted;
    },
    isStarted: () => isStarted,
    created,
  };
}
