import type { BridgeReply, Delivery, PendingToolCall } from "@codemode/protocol";

/** What the host does for one outstanding request of a cell. `abandon` stops it; its result is then dropped. */
export type HostWork =
  | { readonly kind: "call"; readonly callId: string; readonly name: string; abandon(): void }
  | {
      readonly kind: "timer";
      readonly delayMs: number;
      readonly dueAt: number;
      readonly isInterval: boolean;
      abandon(): void;
    }
  | { readonly kind: "yield" };

export type TimerWork = Extract<HostWork, { kind: "timer" }>;

/**
 * The outstanding requests of one cell and the replies the guest has not got yet. Owns the work and lives through
 * parking.
 *
 * Invariant: a request is settled at most once; what comes for a closed or forgotten request is dropped.
 */
export class HostWorkTable {
  readonly #work = new Map<number, HostWork>();
  #settled: BridgeReply[] = [];
  /** Timers the host dropped. */
  #dropped: number[] = [];
  readonly #open: Record<HostWork["kind"], number> = { call: 0, timer: 0, yield: 0 };

  constructor(readonly onSettled: () => void) {}

  open(id: number, work: HostWork): void {
    this.#work.set(id, work);
    this.#open[work.kind]++;
  }

  isOpen(id: number): boolean {
    return this.#work.has(id);
  }

  /** Takes a reply for an open request. False when nobody waits for it any more. */
  settle(reply: BridgeReply): boolean {
    if (this.#close(reply.id) === undefined) return false;
    this.answer(reply);
    return true;
  }

  /** Closes a request that gets no reply. */
  discard(id: number): void {
    this.#close(id);
  }

  /** Takes a reply that needed no work. */
  answer(reply: BridgeReply): void {
    this.#settled.push(reply);
    this.onSettled();
  }

  /** Whether there is something to deliver to the guest. */
  hasSettled(): boolean {
    return this.#settled.length > 0 || this.#dropped.length > 0;
  }

  /** What the guest has not got yet: replies in settlement order, and timers the host dropped. */
  takeDelivery(): Delivery {
    const replies = this.#settled;
    const cancelled = this.#dropped;
    this.#settled = [];
    this.#dropped = [];
    return cancelled.length === 0 ? { replies } : { replies, cancelled };
  }

  /** Takes back a delivery that did not reach the guest; it comes before what settled since. */
  putBack({ replies, cancelled = [] }: Delivery): void {
    this.#settled.unshift(...replies);
    this.#dropped.unshift(...cancelled);
  }

  /** Gives up timers the guest still counts on; the next delivery tells it. */
  dropTimers(ids: readonly number[]): void {
    this.forgetTimers(ids);
    this.#dropped.push(...ids);
  }

  /** Forgets timers the guest cleared, also those that are due but not delivered. */
  forgetTimers(ids: readonly number[]): void {
    for (const id of ids) {
      const found = this.#work.get(id);
      if (found?.kind === "timer") {
        this.#close(id);
        found.abandon();
      } else this.#settled = this.#settled.filter((reply) => reply.id !== id);
    }
  }

  settleYields(): void {
    for (const [id, { kind }] of this.#work) if (kind === "yield") this.settle({ id, ok: true, value: "null" });
  }

  hasYields(): boolean {
    return this.#open.yield > 0;
  }

  openCalls(): number {
    return this.#open.call;
  }

  /** Calls that have not settled, in dispatch order. */
  calls(): PendingToolCall[] {
    return [...this.#work.values()].flatMap((found) =>
      found.kind === "call" ? [{ id: found.callId, name: found.name }] : [],
    );
  }

  timers(): ReadonlyMap<number, TimerWork> {
    return new Map([...this.#work].filter((pair): pair is [number, TimerWork] => pair[1].kind === "timer"));
  }

  isEmpty(): boolean {
    return this.#work.size === 0 && !this.hasSettled();
  }

  /** Stops all work and drops all replies. */
  abandon(): void {
    this.#settled = [];
    this.#dropped = [];
    const abandoned = [...this.#work];
    for (const [id] of abandoned) this.#close(id);
    for (const [, found] of abandoned) if (found.kind !== "yield") found.abandon();
  }

  #close(id: number): HostWork | undefined {
    const found = this.#work.get(id);
    if (found === undefined) return undefined;
    this.#work.delete(id);
    this.#open[found.kind]--;
    return found;
  }
}
