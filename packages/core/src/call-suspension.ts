/** Suspensions of one nested call. Owned by the call, which ends them when it settles. */
export interface CallSuspension {
  /**
   * Stops the cell's clock until the promise settles or the call does. Gives the promise's own outcome; whoever does not
   * await that outcome gets no unhandled rejection for it.
   */
  suspend<T>(whileWaiting: Promise<T>): Promise<T>;
  end(): void;
}

/** `suspendBudget` is the cell's: it stops the clock until the promise settles. */
export function createCallSuspension(suspendBudget: (whileWaiting: Promise<void>) => Promise<void>): CallSuspension {
  let isEnded = false;
  let end = (): void => {};
  /** Made by the first suspension: most calls have none. */
  let ended: Promise<void> | undefined;
  const nothing = (): void => {};

  return {
    suspend<T>(whileWaiting: Promise<T>): Promise<T> {
      if (isEnded) return whileWaiting;
      ended ??= new Promise<void>((resolve) => (end = resolve));
      const settled = Promise.resolve(whileWaiting).then(nothing, nothing);
      const answer = suspendBudget(Promise.race([settled, ended])).then(() => whileWaiting);
      answer.catch(nothing);
      return answer;
    },
    end() {
      isEnded = true;
      end();
    },
  };
}
