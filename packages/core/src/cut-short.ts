import type { CellFailure } from "@codemode/protocol";
import type { Clock } from "./clock.js";

/** Something of the host that an exec or wait waits for: a hook, the snapshot store. */
export interface HostWait<T> {
  /** For the message: "the deadline passed while waiting for …". */
  readonly what: string;
  work(): Promise<T>;
  /** Takes a result that came after the wait was cut short. */
  onLate?(value: T): Promise<void>;
}

/** When a wait ends without its result. */
export interface Cutoff {
  readonly clock: Clock;
  readonly remainingMs: number;
  /** Gets what `onLate` rejects with. */
  readonly reportFault: (fault: unknown) => void;
  /** Calls `stop`, at once or later, when the call or its cell is stopped. Returns how to withdraw. */
  onStop(stop: (failure: CellFailure) => void): () => void;
}

/** The wait was cut short; `failure` is what the exec or wait fails with. */
export class CutShort extends Error {
  override readonly name = "CutShort";
  constructor(readonly failure: CellFailure) {
    super(failure.message);
  }
}

/**
 * What the work gives, unless the time is over or the call is stopped first.
 *
 * @throws {CutShort}
 */
export async function cutShort<T>({ what, work, onLate }: HostWait<T>, cutoff: Cutoff): Promise<T> {
  let isCut = false;
  let endWait: (reason: CutShort) => void = () => {};
  const cut = new Promise<never>((_, reject) => (endWait = reject));
  const stop = (failure: CellFailure): void => {
    isCut = true;
    endWait(new CutShort(failure));
  };
  const withdraw = cutoff.onStop(stop);
  const cancelAlarm = cutoff.clock.schedule(() => stop(timeoutFailure(what)), cutoff.remainingMs, { keepsAlive: true });
  const working = (async () => work())();
  working
    .then((value) => (isCut ? onLate?.(value) : undefined))
    .catch((fault: unknown) => {
      if (isCut) cutoff.reportFault(fault);
    });
  try {
    return await Promise.race([cut, working]);
  } finally {
    cancelAlarm();
    withdraw();
  }
}

function timeoutFailure(what: string): CellFailure {
  return { message: `code mode deadline passed while waiting for ${what}`, code: "timeout", phase: "host" };
}
