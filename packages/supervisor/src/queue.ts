/** Why a place in the queue was given up. */
export type QueueRefusal = "timeout" | "aborted" | "unavailable";

/** The FIFO queue of cells that wait for an idle slot. Everything in it spends its own budget. */
export interface SlotQueue<Slot> {
  readonly size: number;
  /** Waits for a slot and claims it, at most `remainingMs`. Keeps the process alive while it waits. */
  wait<Claim>(claim: (slot: Slot) => Claim, remainingMs: number, signal: AbortSignal): Promise<Claim | QueueRefusal>;
  /** Gives a slot to whoever waits longest, who claims it at once. Only when somebody waits. */
  grant(slot: Slot): void;
  /** Sends away whoever waits longest. */
  refuse(): void;
}

export function createSlotQueue<Slot extends object>(): SlotQueue<Slot> {
  const waiting = new Set<Place<Slot>>();
  const next = () => waiting.values().next().value;
  return {
    get size() {
      return waiting.size;
    },
    wait(claim, remainingMs, signal) {
      if (signal.aborted) return Promise.resolve("aborted");
      return new Promise((resolve) => {
        const place: Place<Slot> = (outcome) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
          waiting.delete(place);
          resolve(typeof outcome === "string" ? outcome : claim(outcome));
        };
        const onAbort = () => place("aborted");
        const timer = setTimeout(() => place("timeout"), Math.max(0, remainingMs));
        signal.addEventListener("abort", onAbort);
        waiting.add(place);
      });
    },
    grant: (slot) => next()?.(slot),
    refuse: () => next()?.("unavailable"),
  };
}

/** Settles one wait and takes it out of the queue. */
type Place<Slot> = (outcome: Slot | QueueRefusal) => void;
