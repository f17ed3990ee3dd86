/** How long a server may take to be ready. */
export interface StartLimit {
  readonly timeoutMs: number;
  /** Aborts when the time has passed, or when the caller wants no more. */
  readonly signal: AbortSignal;
  /** The caller's. */
  readonly caller: AbortSignal | undefined;
  isLate(): boolean;
}

/** The time counts from now. */
export function limitStart(timeoutMs: number, caller: AbortSignal | undefined): StartLimit {
  const deadline = AbortSignal.timeout(timeoutMs);
  return {
    timeoutMs,
    signal: caller === undefined ? deadline : AbortSignal.any([deadline, caller]),
    caller,
    isLate: () => deadline.aborted,
  };
}
