import {
  CodeModeError,
  failedStep,
  type CellFailure,
  type CellSessionOptions,
  type CellStart,
  type CellStep,
  type PreparedSource,
  type StepProgress,
  type VmLimits,
  type WorkerCommand,
  type WorkerExitReason,
} from "@codemode/protocol";
import { failureOfExit } from "./classify-exit.js";
import { excessOf, oversizeOf } from "./decode-report.js";
import { ABORTED } from "./failures.js";
import type { Occupant, WorkerUse } from "./pressure.js";
import { ANSWER_GRACE_MS, type CellReport, type SlotHolder, type WorkerSlot } from "./slot.js";
import { createWatchdog } from "./watchdog.js";

/** A step's command without what the exchange fills in. */
export type StepCommand =
  | {
      readonly type: "start";
      readonly start: CellStart;
      /** A source that was prepared elsewhere. */
      readonly prepared?: PreparedSource;
    }
  | Pick<Extract<WorkerCommand, { type: "deliver" }>, "type" | "delivery">
  | Pick<Extract<WorkerCommand, { type: "park" }>, "type" | "maxBytes">;

/** The pool, as far as one exchange is concerned. */
export interface ExchangePool {
  /** Told synchronously, in the order in which it happens. */
  onUse(occupant: Occupant, use: WorkerUse): void;
  /** Whether a cell that comes to rest is likely to be asked for its worker, and to park. */
  expectsPark(): boolean;
}

interface StepUnderWay {
  readonly type: StepCommand["type"];
  readonly step: number;
  /** How large the cell may park at the boundary the step comes to; 0 for not at all. */
  readonly parkBytes: number;
  resolve(step: CellStep): void;
}

/** The cell is being ended; what its last step brought, once it came. */
interface Closing {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  /** What the step under way fails with. */
  readonly failure: CellFailure;
  progress?: StepProgress;
}

/**
 * The talk with one worker about one cell: command out, step in, under a watchdog. Holds the slot from the first
 * command until the cell is over.
 *
 * At a boundary no timer runs.
 */
export class CellExchange implements SlotHolder, Occupant {
  readonly #slot: WorkerSlot;
  readonly #options: CellSessionOptions;
  readonly #pool: ExchangePool;
  readonly #cell: number;
  readonly #watchdog = createWatchdog(() => this.#onOverrun());
  #step = 0;
  #underWay: StepUnderWay | undefined;
  #isOver = false;
  /** Set when the worker was lost at a boundary. */
  #lost: CellFailure | undefined;
  #closing: Closing | undefined;

  constructor(slot: WorkerSlot, options: CellSessionOptions, pool: ExchangePool) {
    this.#slot = slot;
    this.#options = options;
    this.#pool = pool;
    this.#cell = slot.hold(this);
  }

  get limits(): VmLimits {
    return this.#options.limits;
  }

  get canBeAsked(): boolean {
    return this.#options.onPressure !== undefined;
  }

  /** One turn later, so that a call that is answered at once does not cost a snapshot. */
  askToPark(): void {
    const boundary = this.#step;
    setImmediate(() => {
      const isResting = this.#step === boundary && this.#underWay === undefined && !this.#isOver;
      if (isResting && this.#closing === undefined && this.#lost === undefined) this.#options.onPressure?.();
    });
  }

  /** Whether the worker has nothing left of the cell. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Sends one command; settles with the step it led to. Only when the one before has settled and the cell is live.
   *
   * @throws {CodeModeError} `invalid_argument` when the command holds what cannot be sent to a thread; nothing was sent.
   */
  run(command: StepCommand, remainingMs: number): Promise<CellStep> {
    if (this.#lost !== undefined) return Promise.resolve(failedStep(this.#lost));
    const step = this.#step + 1;
    const parkBytes = command.type === "park" ? 0 : this.#roomToPark();
    this.#send(command, { cell: this.#cell, step, remainingMs, ...(parkBytes > 0 ? { parkBytes } : {}) });
    this.#step = step;
    const answer = new Promise<CellStep>((resolve) => {
      this.#underWay = { type: command.type, step, parkBytes, resolve };
      this.#watchdog.arm(remainingMs + this.#options.watchdogGraceMs);
    });
    this.#onUse(command.type === "park" ? "leaving" : "running");
    return answer;
  }

  /** Ends the cell; settles once the worker has nothing left of it, or is dead. */
  end(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing.promise;
    if (this.#isOver) return Promise.resolve();
    return this.#close().promise;
  }

  accept(report: CellReport): string | undefined {
    if (report.type === "ended") {
      if (this.#closing === undefined) return "ended without being asked";
      this.#finish(this.#closing);
      return undefined;
    }
    const { step, result } = report;
    if (step !== this.#underWay?.step || this.#closing?.progress !== undefined) {
      return `an answer to step ${step}, which is not open`;
    }
    if (result.type === "refused" && this.#underWay.type !== "park") return `a refusal to ${this.#underWay.type}`;
    const fault = oversizeOf(result, this.limits) ?? unaskedPark(result, this.#underWay.parkBytes);
    if (fault !== undefined) return fault;
    const excess = excessOf(result);
    if (this.#closing === undefined && excess === undefined) this.#settle(result);
    // Of a step whose requests are refused the worker still has the cell, at a boundary.
    else (this.#closing ?? this.#close(excess)).progress = { output: result.output, guestMs: result.guestMs };
    return undefined;
  }

  onGone(reason: WorkerExitReason, fault: string | undefined): void {
    if (this.#closing !== undefined) return this.#finish(this.#closing);
    const failure = failureOfExit(reason, fault);
    if (this.#underWay === undefined) this.#lost = failure;
    else this.#settle(failedStep(failure));
    this.#watchdog.dispose();
    this.#isOver = true;
    this.#onUse("over");
  }

  #close(failure: CellFailure = ABORTED): Closing {
    const closing: Closing = { ...withResolvers(), failure };
    this.#closing = closing;
    this.#watchdog.arm(ANSWER_GRACE_MS);
    if (this.#slot.state === "held") this.#slot.post({ type: "end", cell: this.#cell });
    this.#onUse("leaving");
    return closing;
  }

  #send(command: StepCommand, envelope: StepEnvelope): void {
    try {
      if (command.type !== "start") return this.#slot.post({ ...command, ...envelope });
      const { surface } = command.start;
      this.#slot.introduce(surface);
      const start = { ...command.start, surface: surface.fingerprint };
      this.#slot.post({ ...command, ...envelope, start, limits: this.limits });
    } catch (cause) {
      if (this.#step === 0) {
        this.#setOver();
      }
      const problem = "holds a value that cannot be sent to a worker thread";
      throw new CodeModeError(
        "invalid_argument",
        `${command.type} ${problem}.`,
        { path: command.type, problem },
        { cause },
      );
    }
  }

  #settle(result: CellStep): void {
    this.#watchdog.disarm();
    const { resolve } = this.#underWay ?? {};
    this.#underWay = undefined;
    if (result.type === "boundary" && result.parked === undefined) this.#onUse("idle");
    else if (result.type === "refused") this.#onUse("staying");
    else this.#setOver();
    resolve?.(result);
  }

  #roomToPark(): number {
    const { roomToPark } = this.#options;
    return roomToPark !== undefined && this.#pool.expectsPark() ? roomToPark() : 0;
  }

  #onUse(use: WorkerUse): void {
    this.#pool.onUse(this, use);
  }

  #setOver(): void {
    this.#watchdog.dispose();
    this.#isOver = true;
    this.#onUse("over");
    this.#slot.release();
  }

  #finish({ failure, progress, resolve }: Closing): void {
    this.#watchdog.disarm();
    this.#setOver();
    this.#underWay?.resolve(failedStep(failure, progress));
    this.#underWay = undefined;
    resolve();
  }

  #onOverrun(): void {
    // This thread may have been busy past the deadline while the answer was already here.
    this.#slot.drain();
    if (this.#closing !== undefined && !this.#isOver) this.#slot.kill("aborted");
    else if (this.#underWay !== undefined) this.#slot.kill("deadline");
  }
}

interface StepEnvelope {
  readonly cell: number;
  readonly step: number;
  readonly remainingMs: number;
  readonly parkBytes?: number;
}

/** What is wrong about a cell parked at a boundary, or undefined. */
function unaskedPark(step: CellStep, maxBytes: number): string | undefined {
  if (step.type !== "boundary" || step.parked === undefined) return undefined;
  if (maxBytes === 0) return "a cell that parked unasked";
  const { bytes } = step.parked.snapshot;
  return bytes > maxBytes ? `a cell that parked with ${bytes} bytes, at most ${maxBytes}` : undefined;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
