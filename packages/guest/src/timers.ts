import { MapConstructor, TypeErrorConstructor, apply, mapDelete, mapGet, mapSet } from "./primordials.js";
import type { RequestTable } from "./request-table.js";

const MAX_DELAY_MS = 2 ** 31 - 1;

type TimerCallback = (...inputs: unknown[]) => unknown;

/** The host-backed timers. A timer is one bridge request, so it survives parking. */
export interface Timers {
  setTimeout(callback: unknown, delay?: unknown, ...inputs: unknown[]): number;
  setInterval(callback: unknown, delay?: unknown, ...inputs: unknown[]): number;
  clear(timer: unknown): void;
  /** The host dropped a timer: its callback never runs. */
  dropped(request: number): void;
  /** JSON text of the ids of requests that were cleared since the last call. */
  takeCancelled(): string;
}

export function createTimers(requests: RequestTable): Timers {
  /** The timer's id for the guest is the id of its first request; an interval's later requests are looked up. */
  const requestOf = new MapConstructor<number, number>();
  let cancelled = "";

  function arm(delayMs: number, onDue: () => void, isInterval: boolean): number {
    return requests.sendWithCallback("timer", `,"delayMs":${delayMs},"isInterval":${isInterval}`, onDue);
  }

  return {
    setTimeout(callback, delay, ...inputs) {
      const run = assertCallback(callback, "setTimeout");
      const timer: number = arm(
        delayOf(delay),
        () => {
          mapDelete(requestOf, timer);
          void runLater(run, inputs);
        },
        false,
      );
      mapSet(requestOf, timer, timer);
      return timer;
    },
    setInterval(callback, delay, ...inputs) {
      const run = assertCallback(callback, "setInterval");
      const delayMs = delayOf(delay);
      const onDue = (): void => {
        mapSet(requestOf, timer, arm(delayMs, onDue, true));
        void runLater(run, inputs);
      };
      const timer: number = arm(delayMs, onDue, true);
      mapSet(requestOf, timer, timer);
      return timer;
    },
    clear(timer) {
      const request = typeof timer === "number" ? mapGet(requestOf, timer) : undefined;
      if (request === undefined) return;
      mapDelete(requestOf, timer as number);
      if (requests.forget(request)) cancelled += `${cancelled === "" ? "" : ","}${request}`;
    },
    dropped(request) {
      requests.forget(request);
      mapDelete(requestOf, request);
    },
    takeCancelled() {
      const text = `[${cancelled}]`;
      cancelled = "";
      return text;
    },
  };
}

/** Runs in its own job; a throw, or the rejection of what it returns, is an unhandled rejection of the cell. */
async function runLater(callback: TimerCallback, inputs: unknown[]): Promise<void> {
  // The next job; a value that is no promise runs nothing of the guest's.
  await (undefined as unknown as Promise<void>);
  apply(callback, undefined, inputs);
}

function assertCallback(callback: unknown, caller: string): TimerCallback {
  if (typeof callback === "function") return callback as TimerCallback;
  throw new TypeErrorConstructor(`${caller} takes a function as its first argument.`);
}

function delayOf(delay: unknown): number {
  const number = typeof delay === "number" || typeof delay === "string" ? +delay : 0;
  if (!(number > 0)) return 0;
  return number > MAX_DELAY_MS ? MAX_DELAY_MS : number;
}
