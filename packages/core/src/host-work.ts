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
  /** A search that waits until the catalog is read. */
  | { readonly kind: "search" }
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
  /** Timers whose replies are in `#settled`. */
  #due = new Map<number, TimerWork>();
  /** Timers whose replies are in the last delivery that was taken. */
  #takenDue = new Map<number, TimerWork>();
  /** Timers the host dropped. */
  #dropped: number[] = [];
  readonly #open: Record<HostWork["kind"], number> = { call: 0, timer: 0, search: 0, yield: 0 };

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
    const found = this.#close(reply.id);
    if (found === undefined) return false;
    if (found.kind === "timer") this.#due.set(reply.id, found);
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

  /** Whether the guest has yet to get a reply that is not a timer's. */
  hasSettledCalls(): boolean {
    return this.#settled.length > this.#due.size;
  }

  /** What the guest has not got yet: replies in settlement order, and timers the host dropped. */
  takeDelivery(): Delivery {
    const replies = this.#settled;
    const cancelled = this.#dropped;
    this.#takenDue = this.#due;
    this.#settled = [];
    this.#due = new Map();
    this.#dropped = [];
    return cancelled.length === 0 ? { replies } : { replies, cancelled };
  }

  /** Takes back the last delivery, which did not reach the guest; it comes before what settled since. */
  putBack({ replies, cancelled = [] }: Delivery): void {
    this.#settled = [...replies, ...this.#settled];
    this.#due = new Map([...this.#takenDue, ...this.#due]);
    this.#takenDue = new Map();
    this.#dropped = [...cancelled, ...this.#dropped];
  }

  /** Gives up timers the guest still counts on; the next delivery tells it. */
  dropTimers(ids: readonly number[]): void {
    this.forgetTimers(ids);
    this.#dropped = [...this.#dropped, ...ids];
  }

  /** Forgets timers, also those that are due but not delivered. */
  forgetTimers(ids: Iterable<number>): void {
    const forgottenDue = new Set<number>();
    for (const id of ids) {
      if (this.#due.delete(id)) forgottenDue.add(id);
      const found = this.#work.get(id);
      if (found?.kind !== "timer") continue;
      this.#close(id);
      found.abandon();
    }
    if (forgottenDue.size > 0) this.#settled = this.#settled.filter((reply) => !forgottenDue.has(reply.id));
  }

  settleYields(): void {
    for (const [id, { kind }] of this.#work) if (kind === "yield") this.settle({ id, ok: true, value: "null" });
  }

  hasYields(): boolean {
    return this.#open.yield > 0;
  }

  /** What the guest waits for, timers and yields aside. */
  openCalls(): number {
    return this.#open.call + this.#open.search;
  }

  openTimers(): number {
    return this.#open.timer;
  }

  /** Calls that have not settled, in dispatch order. */
  calls(): PendingToolCall[] {
    return [...this.#work.values()].flatMap((found) =>
      found.kind === "call" ? [{ id: found.callId, name: found.name }] : [],
    );
  }

  /** Timers whose callback has not run: open ones, and those that are due but not delivered. */
  *timers(): Generator<readonly [number, TimerWork]> {
    yield* this.#due;
    if (this.#open.timer === 0) return;
    for (const [id, found] of this.#work) if (found.kind === "timer") yield [id, found];
  }

  isEmpty(): boolean {
    return this.#work.size === 0 && !this.hasSettled();
  }

  /** Stops all work and drops all replies. */
  abandon(): void {
    this.#settled = [];
    this.#due.clear();
    this.#takenDue.clear();
    this.#dropped = [];
    const abandoned = [...this.#work];
    for (const [id] of abandoned) this.#close(id);
    for (const [, found] of abandoned) if (found.kind === "call" || found.kind === "timer") found.abandon();
  }

  #close(id: number): HostWork | undefined {
    const found = this.#work.get(id);
    if (found === undefined) return undefined;
    this.#work.delete(id);
    this.#open[found.kind]--;
    return found;
  }
}
