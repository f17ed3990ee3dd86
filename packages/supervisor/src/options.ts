import { availableParallelism } from "node:os";
import { CodeModeError, describeValue, type CodeModeEvent } from "@codemode/protocol";

export interface SupervisorOptions {
  /**
   * Module that threads run, at a `file:` URL. A thread's first `WorkerTask` is its `workerData`. One that serves obeys
   * the task's port and then ends; one that compiles posts the outcome to its parent, whose messages are further tasks.
   */
  readonly workerUrl: URL;
  /** Workers kept while idle, once they were started. Default 0, at most `maxWorkers`. */
  readonly minWorkers?: number;
  /**
   * Most worker threads at a time, not counting the one that compiles. Default: the available cores as Node tells them,
   * limits of the process and its container included. Range 1 to 1024.
   */
  readonly maxWorkers?: number;
  /** How long a worker stays idle before it retires, in ms. Default 30_000, range 0 to 2_147_483_647. */
  readonly idleTimeoutMs?: number;
  /** Observes starts and ends of workers. Called in its own microtask. */
  readonly onEvent?: (event: CodeModeEvent) => void;
}

export type ResolvedOptions = Required<SupervisorOptions>;

/** @throws {CodeModeError} `invalid_argument`. */
export function resolveOptions(options: SupervisorOptions): ResolvedOptions {
  const { workerUrl, onEvent = () => {} } = options;
  if (!(workerUrl instanceof URL) || workerUrl.protocol !== "file:") {
    throw invalid("workerUrl", `must be a file: URL, got ${describeValue(workerUrl)}`);
  }
  const maxWorkers = whole("maxWorkers", options.maxWorkers ?? availableCores(), { min: 1, max: MAX_WORKERS });
  const minWorkers = whole("minWorkers", options.minWorkers ?? 0, { min: 0, max: maxWorkers });
  const idleTimeoutMs = whole("idleTimeoutMs", options.idleTimeoutMs ?? 30_000, { min: 0, max: 2 ** 31 - 1 });
  return { workerUrl, minWorkers, maxWorkers, idleTimeoutMs, onEvent };
}

const MAX_WORKERS = 1024;

function availableCores(): number {
  return Math.min(availableParallelism(), MAX_WORKERS);
}

function whole(path: string, value: number, { min, max }: { min: number; max: number }): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(path, `must be a whole number from ${min} to ${max}, got ${describeValue(value)}`);
}

function invalid(path: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${path} ${problem}.`, { path, problem });
}
