/** Why a place in the queue was given up. */
export type QueueRefusal = "timeout" | "aborted" | "unavailable";

/** The FIFO queue of cells that wait for an idle slot. Everything in it spends its own budget. */
export interface SlotQueue<Slot> {
  readonly size: number;
  /** Waits for a slot, at most `remainingMs`. Keeps the process alive while it waits. */
  wait(remainingMs: number, signal: AbortSignal): Promise<Slot | QueueRefusal>;
  /** Gives a slot to whoever waits longest; false when nobody does. */
  grant(slot: Slot): boolean;
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
    wait(remainingMs, signal) {
      if (signal.aborted) return Promise.resolve("aborted");
      if (remainingMs <= 0) return Promise.resolve("timeout");
      return new Promise((resolve) => {
        const leave = (outcome: Slot | QueueRefusal) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
          waiting.delete(leave);
          resolve(outcome);
        };
        const onAbort = () => leave("aborted");
        const timer = setTimeout(() => leave("timeout"), remainingMs);
        signal.addEventListener("abort", onAbort);
        waiting.add(leave);
      });
    },
    grant(slot) {
      const place = next();
      place?.(slot);
      return place !== undefined;
    },
    refuse() {
      next()?.("unavailable");
    },
  };
}

/** Settles one wait and takes it out of the queue. */
type Place<Slot> = (outcome: Slot | QueueRefusal) => void;
