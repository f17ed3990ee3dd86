import { performance } from "node:perf_hooks";
import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { Patience } from "./session-failures.js";

/** What stands still while a person is asked. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/** The time that one request may go without an answer or a word of progress. */
export interface RequestPatience extends Patience, Pausable {
  /**
   * The request is sent, and has its whole time: once more when it is sent again. What is given aborts with the caller's
   * signal, or with a time-out of the client library when the time is over.
   */
  begin(signal: AbortSignal | undefined): AbortSignal;
  /** A word of progress gives it its whole time again. */
  heard(): void;
  /** The request is settled. */
  end(): void;
}

/** `now` is monotonic, in ms. */
export function createRequestPatience(
  { ms, option }: Patience,
  now = (): number => performance.now(),
): RequestPatience {
  let remainingMs = ms;
  let isPaused = false;
  /** Undefined while nothing is under way. */
  let abort: AbortController | undefined;
  let stopFollowing = (): void => {};
  let running: { readonly timer: NodeJS.Timeout; readonly since: number } | undefined;

  function expire(): void {
    abort?.abort(new SdkError(SdkErrorCode.RequestTimeout, "Request timed out", { timeout: ms }));
  }

  function run(): void {
    if (abort === undefined || isPaused || running !== undefined) return;
    running = { timer: setTimeout(expire, Math.max(1, remainingMs)), since: now() };
  }

  function stop(): void {
    if (running === undefined) return;
    clearTimeout(running.timer);
    remainingMs -= now() - running.since;
    running = undefined;
  }

  function end(): void {
    stop();
    stopFollowing();
    abort = undefined;
  }

  return {
    ms,
    option,
    begin(signal) {
      end();
      const controller = (abort = new AbortController());
      const follow = (): void => controller.abort(signal?.reason);
      signal?.addEventListener("abort", follow, { once: true });
      stopFollowing = () => signal?.removeEventListener("abort", follow);
      remainingMs = ms;
      run();
      return controller.signal;
    },
    heard() {
      stop();
      remainingMs = ms;
      run();
    },
    pause() {
      isPaused = true;
      stop();
    },
    resume() {
      isPaused = false;
      run();
    },
    end,
  };
}
