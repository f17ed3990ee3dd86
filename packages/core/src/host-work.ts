import type { BridgeReply, PendingToolCall } from "@codemode/protocol";

/** What the host does for one outstanding request of a cell. `abandon` stops it; its result is then dropped. */
export type HostWork =
  | { readonly kind: "call"; readonly callId: string; readonly name: string; abandon(): void }
  | { readonly kind: "timer"; readonly delayMs: number; readonly dueAt: number; abandon(): void }
  | { readonly kind: "yield" };

export type TimerWork = Extract<HostWork, { kind: "timer" }>;

/**
 * The outstanding requests of one cell and the replies the guest has not got yet. It lives through parking.
 *
 * Invariant: a request is settled at most once; what comes for a closed or forgotten request is dropped.
 */
export interface HostWorkTable {
  open(id: number, work: HostWork): void;
  isOpen(id: number): boolean;
  /** Takes a reply for an open request. False when nobody waits for it any more. */
  settle(reply: BridgeReply): boolean;
  /** Takes a reply that needed no work. */
  answer(reply: BridgeReply): void;
  hasSettled(): boolean;
  /** Replies since the last call, in settlement order. */
  takeSettled(): BridgeReply[];
  /** Forgets timers, also those that are due but not delivered. */
  forgetTimers(ids: readonly number[]): void;
  settleYields(): void;
  hasYields(): boolean;
  openCalls(): number;
  calls(): PendingToolCall[];
  timers(): ReadonlyMap<number, TimerWork>;
  isEmpty(): boolean;
  /** Stops all work and drops all replies. */
  abandon(): void;
}

export function createHostWorkTable(onSettled: () => void): HostWorkTable {
  const work = new Map<number, HostWork>();
  let settled: BridgeReply[] = [];
  let openCalls = 0;
  let yields = 0;

  function close(id: number): HostWork | undefined {
    const found = work.get(id);
    if (found === undefined) return undefined;
    work.delete(id);
    if (found.kind === "call") openCalls--;
    if (found.kind === "yield") yields--;
    return found;
  }

  function answer(reply: BridgeReply): void {
    settled.push(reply);
    onSettled();
  }

  return {
    open(id, added) {
      work.set(id, added);
      if (added.kind === "call") openCalls++;
      if (added.kind === "yield") yields++;
    },
    isOpen: (id) => work.has(id),
    settle(reply) {
      if (close(reply.id) === undefined) return false;
      answer(reply);
      return true;
    },
    answer,
    hasSettled: () => settled.length > 0,
    takeSettled() {
      const taken = settled;
      settled = [];
      return taken;
    },
    forgetTimers(ids) {
      for (const id of ids) {
        if (work.get(id)?.kind === "timer") (close(id) as TimerWork).abandon();
        else settled = settled.filter((reply) => reply.id !== id);
      }
    },
    settleYields() {
      for (const [id, found] of work) {
        if (found.kind === "yield") this.settle({ id, ok: true, value: "null" });
      }
    },
    hasYields: () => yields > 0,
    openCalls: () => openCalls,
    calls: () =>
      [...work.values()].flatMap((found) => (found.kind === "call" ? [{ id: found.callId, name: found.name }] : [])),
    timers: () => new Map([...work].filter((pair): pair is [number, TimerWork] => pair[1].kind === "timer")),
    isEmpty: () => work.size === 0 && settled.length === 0,
    abandon() {
      settled = [];
      const abandoned = [...work.values()];
      work.clear();
      openCalls = 0;
      yields = 0;
      for (const found of abandoned) if (found.kind !== "yield") found.abandon();
    },
  };
}
