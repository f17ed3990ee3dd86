/**
 * Waits for a result, but not past a deadline or an abort. Keeps the process alive while it waits.
 *
 * A result that is here when the time is up still wins, even if this thread was too busy to take it.
 */
export function settleBy<Result>(
  result: Promise<Result>,
  remainingMs: number,
  signal?: AbortSignal,
): Promise<Result | "timeout" | "aborted"> {
  if (signal?.aborted === true) return Promise.resolve("aborted");
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      stopWaiting();
      resolve("aborted");
    };
    const onTimeout = () => {
      stopWaiting();
      // Messages of other threads are delivered between the timers and the immediates of one turn.
      setImmediate(() => resolve("timeout"));
    };
    const timer = setTimeout(onTimeout, Math.max(0, remainingMs));
    signal?.addEventListener("abort", onAbort);
    result.finally(stopWaiting).then(resolve, reject);
  });
}
