// Invariant: a task is in the table from its start until its time to live is over, and its work runs no longer.
import type { CallOutcome } from "../perform-call.js";
import type { FrontClock } from "../front-clock.js";
import { oneLine } from "../../one-line.js";

/** Tasks under way at one time. */
const MAX_WORKING = 16;
/** Tasks that are remembered; beyond, ended ones are forgotten before their time, those whose result was fetched first. */
const MAX_TASKS = 64;
/** From its start to its end and the end of its result, in ms. What a client asks for is moved into the range. */
const TTL_MS = { default: 900_000, least: 1_000, most: 3_600_000 };
/** How often a client is told to ask, in ms. */
const POLL_INTERVAL_MS = 500;

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as the protocol shows it. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601, as `lastUpdatedAt`. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** In ms, from its start. */
  readonly ttl: number;
  readonly pollInterval: number;
}

/** What the work of a task gets. */
export interface TaskControl {
  readonly taskId: string;
  /** Aborts when the task is cancelled or its time is over. */
  readonly signal: AbortSignal;
  /** What the task is at; for people. */
  tell(message: string): void;
  /** The client is asked something: until that is over, the status says so. */
  whileAsking<T>(asking: () => Promise<T>): Promise<T>;
}

/** Must not reject. */
export type TaskWork = (control: TaskControl) => Promise<CallOutcome>;

/** The tasks of one client. Owned by its session: `close` it. */
export interface TaskStore {
  /** Undefined when too many are under way. */
  start(work: TaskWork, ttlMs: number | undefined): Task | undefined;
  get(taskId: string): Task | undefined;
  /** Oldest first. */
  list(): readonly Task[];
  /** What the task came to; waits for its end. Undefined for an unknown task. */
  outcome(taskId: string): Promise<CallOutcome> | undefined;
  /** Undefined for an unknown task. One that has ended stays as it is. */
  cancel(taskId: string): Task | undefined;
  /** Ends all. */
  close(): void;
}

export interface TaskStoreOptions {
  readonly clock: FrontClock;
  /** A fresh id that cannot be guessed. */
  readonly newId: () => string;
  /** A task has ended, or its client is to answer a question. Must not throw. */
  readonly onChanged: (task: Task) => void;
}

interface Entry {
  readonly view: Omit<Task, "status" | "statusMessage" | "lastUpdatedAt">;
  readonly abort: AbortController;
  status: TaskStatus;
  message: string | undefined;
  /** Questions that the client has not answered. */
  questions: number;
  updatedAt: number;
  outcome: Promise<CallOutcome>;
  wasFetched: boolean;
  readonly stopExpiry: () => void;
}

export function createTaskStore({ clock, newId, onChanged }: TaskStoreOptions): TaskStore {
  const entries = new Map<string, Entry>();

  function change(entry: Entry, change: { readonly status?: TaskStatus; readonly message?: string | undefined }): void {
    if (isEnded(entry)) return;
    const { status: before } = entry;
    entry.status = change.status ?? before;
    entry.message = change.message === undefined ? undefined : oneLine(change.message);
    entry.updatedAt = clock.now();
    if (entry.status !== before) onChanged(show(entry));
  }

  async function whileAsking<T>(entry: Entry, asking: () => Promise<T>): Promise<T> {
    const count = (by: number): void => {
      entry.questions += by;
      change(entry, { status: entry.questions > 0 ? "input_required" : "working", message: entry.message });
    };
    count(1);
    try {
      return await asking();
    } finally {
      count(-1);
    }
  }

  function forget(entry: Entry, reason: string): void {
    entries.delete(entry.view.taskId);
    entry.stopExpiry();
    entry.abort.abort(new DOMException(reason, "AbortError"));
  }

  /** Whether one more may start. */
  function makeRoom(): boolean {
    const all = [...entries.values()];
    if (all.filter((entry) => !isEnded(entry)).length >= MAX_WORKING) return false;
    const ended = all.filter(isEnded);
    const superfluous = ended.find(({ wasFetched }) => wasFetched) ?? ended[0];
    if (all.length >= MAX_TASKS && superfluous !== undefined) forget(superfluous, "the task was forgotten");
    return true;
  }

  return {
    start(work, ttlMs = TTL_MS.default) {
      if (!makeRoom()) return undefined;
      const taskId = newId();
      const ttl = Math.min(TTL_MS.most, Math.max(TTL_MS.least, Math.round(ttlMs)));
      const abort = new AbortController();
      const entry: Entry = {
        view: { taskId, createdAt: new Date(clock.now()).toISOString(), ttl, pollInterval: POLL_INTERVAL_MS },
        abort,
        status: "working",
        message: undefined,
        questions: 0,
        updatedAt: clock.now(),
        outcome: Promise.resolve().then(() =>
          work({
            taskId,
            signal: abort.signal,
            tell: (message) => change(entry, { message }),
            whileAsking: (asking) => whileAsking(entry, asking),
          }),
        ),
        wasFetched: false,
        stopExpiry: clock.schedule(() => forget(entry, "the task's time to live is over"), ttl),
      };
      entry.outcome = entry.outcome.then((outcome) => {
        change(entry, { status: outcome.status === "completed" ? "completed" : "failed", message: outcome.error });
        return outcome;
      });
      entries.set(taskId, entry);
      return show(entry);
    },
    get(taskId) {
      const entry = entries.get(taskId);
      return entry === undefined ? undefined : show(entry);
    },
    list: () => [...entries.values()].map(show),
    outcome(taskId) {
      const entry = entries.get(taskId);
      return entry?.outcome.then((outcome) => {
        entry.wasFetched = true;
        return outcome;
      });
    },
    cancel(taskId) {
      const entry = entries.get(taskId);
      if (entry === undefined) return undefined;
      change(entry, { status: "cancelled", message: "cancelled by the client" });
      entry.abort.abort(new DOMException("The task was cancelled.", "AbortError"));
      return show(entry);
    },
    close() {
      for (const entry of entries.values()) forget(entry, "the session is over");
    },
  };
}

/** Whether it will not change any more. */
export function isEnded({ status }: Pick<Task, "status">): boolean {
  return status !== "working" && status !== "input_required";
}

function show({ view, status, message, updatedAt }: Entry): Task {
  return {
    ...view,
    status,
    ...(message === undefined ? {} : { statusMessage: message }),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
  };
}
