/** Waits for a result, but not past a deadline or an abort. Keeps the process alive while it waits. */
export function settleBy<Result>(
  result: Promise<Result>,
  remainingMs: number,
  signal: AbortSignal,
): Promise<Result | "timeout" | "aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  if (remainingMs <= 0) return Promise.resolve("timeout");
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      stopWaiting();
      resolve("aborted");
    };
    const timer = setTimeout(() => {
      stopWaiting();
      resolve("timeout");
    }, remainingMs);
    signal.addEventListener("abort", onAbort);
    result.finally(stopWaiting).then(resolve, reject);
  });
}
