import { createOutputLedger, type OutputLedger } from "@codemode/bridge";
import {
  failedStep,
  type CellFailure,
  type CellLanguage,
  type CellSession,
  type CellStep,
  type CodeModeErrorCode,
  type NestedCall,
  type ParkedCell,
  type SnapshotLease,
} from "@codemode/protocol";
import type { Telemetry, ToolSpan } from "@codemode/telemetry";
import { createBell, type Bell } from "./bell.js";
import type { CallDeadline } from "./call-deadline.js";
import { dropParked } from "./drop-parked.js";
import type { DroppedTimers } from "./dropped-timers.js";
import { createEffectLedger, type EffectLedger } from "./effect-ledger.js";
import { abortedFailure, hostFailure } from "./failures.js";
import { HostWorkTable } from "./host-work.js";
import type { Binding, Projection } from "./projection.js";
import type { RunContext } from "./run-context.js";
import { WorkerHold, type CellAside } from "./worker-hold.js";

/** The exec or wait that is working on a cell right now. */
export interface OngoingCall {
  readonly deadline: CallDeadline;
  readonly parentId?: string;
  /** Nested calls that it dispatches are traced under it. */
  readonly span?: ToolSpan | undefined;
  /** Never throws. */
  onUpdate(update: { readonly call: NestedCall; readonly partial: unknown }): void;
}

/** A call the guest made that the host has not started. */
export interface QueuedCall {
  readonly requestId: number;
  readonly callId: string;
  readonly binding: Binding;
  readonly input: unknown;
}

export interface CellOptions {
  readonly language: CellLanguage;
  readonly isRestartSafe: boolean;
  /** Told once, when the cell is over. */
  onReleased(cell: Cell): void;
}

/**
 * The one owner of a cell, from its first evaluation through every resume: worker session, host work, parked snapshot
 * and what the results need. Whoever ends it ends all of them, and late results reach nobody.
 *
 * Invariant: after `stopped` is set no reply is taken and no call is started.
 */
export class Cell {
  readonly id: string;
  readonly projection: Projection;
  readonly telemetry: Telemetry;
  readonly work: HostWorkTable;
  readonly effects: EffectLedger = createEffectLedger();
  readonly output: OutputLedger;
  readonly droppedTimers: DroppedTimers = { count: 0, delays: [] };
  /** Rings when a reply came, the margin was reached, another cell needs the worker, or the cell was stopped. */
  readonly bell: Bell = createBell();
  readonly queue: QueuedCall[] = [];
  /** `cm_` and a UUID; set when the cell is parked for the first time. */
  runId: string | undefined;
  lease: SnapshotLease | undefined;
  /** Where the cell is while it has left its worker under pressure. */
  aside: CellAside | undefined;
  /** When the parked cell expires, on the host's clock. */
  expiresAt = 0;
  /** Checksum of the snapshot the store was given last. */
  parkedChecksum = 0;
  lastRequestId = 0;
  /** Calls a script's guest has made. */
  scriptCalls = 0;
  /** When leftover timers are dropped; undefined while calls are outstanding. */
  drainUntil: number | undefined;
  /** Names of the untrusted calls it has dispatched, where that matters. */
  untrustedSources: Set<string> | undefined;
  /** Time the guest ran, and time its calls waited for tools and not for people. */
  guestMs = 0;
  toolsMs = 0;

  readonly #worker: WorkerHold;
  #call: OngoingCall | undefined;
  #stopped: CellFailure | undefined;
  #isReplaySafe = true;
  /** Of the exec that started the cell. */
  #origin: ToolSpan | undefined;
  #isReleased = false;
  #isGuestRunning = false;
  #people = 0;
  readonly #startedAt: number;

  constructor(
    readonly run: RunContext,
    readonly options: CellOptions,
  ) {
    const { projection, telemetry } = run.catalog();
    this.id = run.host.newId();
    this.projection = projection;
    this.telemetry = telemetry;
    this.work = new HostWorkTable(() => this.bell.ring());
    this.#worker = new WorkerHold(run, () => this.bell.ring());
    this.output = createOutputLedger({
      maxOutputBytes: run.limits.maxOutputBytes,
      showImage: (claim) => run.media.show(claim),
    });
    this.#startedAt = run.host.clock.now();
  }

  /** Tells observers. Only once the cell can be found: one of them may end it. */
  announce(): void {
    this.run.host.emit({ type: "cell-start", cellId: this.id, language: this.options.language });
  }

  /** Why the cell must end, when something outside the guest decided so. */
  get stopped(): CellFailure | undefined {
    return this.#stopped;
  }

  get call(): OngoingCall | undefined {
    return this.#call;
  }

  /** Whether all its calls were proven replay-safe. */
  get isReplaySafe(): boolean {
    return this.#isReplaySafe;
  }

  /** The cell has made a call that is not proven replay-safe: for good. */
  loseReplaySafety(): void {
    this.#isReplaySafe = false;
  }

  attach(call: OngoingCall): void {
    this.#call = call;
    if (call.span !== undefined) this.#trace(call.span);
    this.#updateClock();
  }

  #trace(span: ToolSpan): void {
    if (this.#origin === undefined) this.#origin = span;
    else span.linkTo(this.#origin);
  }

  detach(): void {
    this.#call = undefined;
  }

  /** Whether another cell needs the worker of this one. */
  get isPressed(): boolean {
    return this.#worker.isPressed;
  }

  /** The cell runs again, or something else keeps it. */
  freeAside(): void {
    this.aside?.space.free();
    this.aside = undefined;
  }

  /** Takes a worker, unless the cell was stopped. The cell owns it until `closeSession`. */
  openSession(): void {
    if (this.#stopped === undefined) this.#worker.open();
  }

  /** Settles once the worker can have no further effect on this cell. */
  closeSession(): Promise<void> {
    return this.#worker.close();
  }

  /** One step of the guest, within what is left of the ongoing call's budget. Guest time is never suspended. */
  async step(take: (session: CellSession, remainingMs: number) => Promise<CellStep>): Promise<CellStep> {
    const { session } = this.#worker;
    if (session === undefined || this.#call === undefined) return failedStep(this.#stopped ?? noSession());
    this.#isGuestRunning = true;
    this.#worker.beginStep();
    this.#updateClock();
    try {
      const step = await take(session, this.#call.deadline.remainingMs());
      this.output.append(step.output);
      this.guestMs += step.guestMs;
      if (step.type === "boundary" && step.parked !== undefined) await this.#setAside(step.parked);
      return step;
    } catch (error) {
      return failedStep(hostFailure(error));
    } finally {
      this.#worker.endStep();
      this.#isGuestRunning = false;
      this.#updateClock();
    }
  }

  /** A call whose result the network controls is about to run. */
  noteUntrusted(name: string): void {
    if (this.run.modelView?.untrusted !== undefined) (this.untrustedSources ??= new Set()).add(name);
  }

  /** Stops the budget of whichever call is ongoing, now or later, until the promise settles. */
  async suspendBudget<T>(whileWaiting: Promise<T>): Promise<T> {
    this.#people++;
    this.#updateClock();
    try {
      return await whileWaiting;
    } finally {
      this.#people--;
      this.#updateClock();
    }
  }

  /** Ends the guest and all host work; whoever works on the cell, or waits for it next, reports `failure`. */
  stop(failure: CellFailure): void {
    if (this.#stopped !== undefined || this.#isReleased) return;
    this.#stopped = failure;
    this.#abandonWork();
    // The rejection, if any, is for whoever awaits the closing.
    this.closeSession().catch(() => {});
    this.bell.ring();
  }

  /** Stops the cell for good and frees everything it holds, its parked snapshot included. */
  async end(reason: string): Promise<void> {
    this.stop(abortedFailure(reason));
    await this.release("failed", "aborted");
  }

  /**
   * Frees everything the cell holds. Idempotent; settles when its worker and its snapshot are gone. Never rejects: what
   * fails on the way is reported as a fault.
   */
  async release(status: "completed" | "failed", code?: CodeModeErrorCode): Promise<void> {
    if (!this.#isReleased) {
      this.#isReleased = true;
      this.#abandonWork();
      this.options.onReleased(this);
      const durationMs = this.run.host.clock.now() - this.#startedAt;
      this.run.host.emit({
        type: "cell-end",
        cellId: this.id,
        status,
        ...(code === undefined ? {} : { code }),
        durationMs,
      });
    }
    await this.closeSession().catch(this.run.host.reportFault);
    if (this.runId !== undefined) await dropParked(this.run, this.runId);
  }

  async #setAside(parked: ParkedCell): Promise<void> {
    const aside = await this.#worker.takeAside(parked);
    // It may have been stopped meanwhile.
    if (this.#stopped === undefined) this.aside = aside;
    else aside.space.free();
  }

  #abandonWork(): void {
    this.queue.length = 0;
    this.work.abandon();
    this.freeAside();
  }

  #updateClock(): void {
    this.#call?.deadline.setSuspended(this.#people > 0 && !this.#isGuestRunning);
  }
}

function noSession(): CellFailure {
  return hostFailure(new Error("the cell has no worker"));
}
