import { BridgeRequestSchema, EncodedJsonSchema, OutputDeltaSchema, type BridgeReply } from "./bridge.js";
import { SourceLocationSchema, type CellLanguage } from "./cell.js";
import { CodeModeErrorCodeSchema, FailurePhaseSchema } from "./error-codes.js";
import type { VmLimits } from "./limits.js";
import { ParkedCellSchema, type ParkedCell } from "./snapshot.js";
import type { GuestSurface } from "./surface.js";
import { Type, type Static } from "./schema-builder.js";

export const CellFailureSchema = Type.Object({
  /** "Name: message", bounded. */
  message: Type.String(),
  code: Type.Optional(CodeModeErrorCodeSchema),
  phase: FailurePhaseSchema,
  location: Type.Optional(SourceLocationSchema),
});
/** Why a cell ended without a value. */
export type CellFailure = Static<typeof CellFailureSchema>;

const stepShared = {
  output: OutputDeltaSchema,
  /** Milliseconds the guest ran in this step. */
  guestMs: Type.Number({ minimum: 0 }),
};

export const CellStepSchema = Type.Union([
  Type.Object({
    type: Type.Literal("boundary"),
    requests: Type.Array(BridgeRequestSchema),
    /** Ids of timers the guest cleared. */
    cancelled: Type.Array(Type.Integer({ minimum: 1 })),
    /** Whether the cell's own promise has settled and only calls or timers it did not await are left. */
    isSettled: Type.Boolean(),
    /** The cell was parked here at once; see `roomToPark`. */
    parked: Type.Optional(ParkedCellSchema),
    ...stepShared,
  }),
  Type.Object({ type: Type.Literal("completed"), value: EncodedJsonSchema, ...stepShared }),
  Type.Object({ type: Type.Literal("failed"), failure: CellFailureSchema, ...stepShared }),
  Type.Object({
    type: Type.Literal("parked"),
    parked: ParkedCellSchema,
    ...stepShared,
  }),
  Type.Object({ type: Type.Literal("refused"), failure: CellFailureSchema, ...stepShared }),
]);
/**
 * What a cell came to. `boundary`: nothing left to run until a reply arrives; the VM stays live, but with `parked` the
 * session is over and the cell kept. `completed` and `failed` end the cell; `parked` ends the session and keeps the cell. `refused`: nothing was done and the cell is as it
 * was, live at its boundary after a `park`, not started after a `start`; `failure` says what to report if that is the end.
 */
export type CellStep = Static<typeof CellStepSchema>;
export type BoundaryStep = Extract<CellStep, { type: "boundary" }>;

/** What a cell session starts from. */
export type CellStart =
  | {
      readonly type: "source";
      readonly source: string;
      readonly language: CellLanguage;
      readonly surface: GuestSurface;
      readonly seed?: CellSeed;
    }
  | {
      readonly type: "parked";
      readonly parked: ParkedCell;
      /** The one the cell started with. */
      readonly surface: GuestSurface;
      readonly replies: readonly BridgeReply[];
      readonly cancelled?: readonly number[];
      readonly seed?: CellSeed;
    };

/** Makes a cell deterministic: the random source's seed and the fixed clock, in ms since the epoch. */
export interface CellSeed {
  readonly random: number;
  readonly now: number;
}

export interface CellSessionOptions {
  readonly limits: VmLimits;
  /** Time past the budget of a step before the worker is terminated, in ms. */
  readonly watchdogGraceMs: number;
  /**
   * Called when another cell needs the worker while this one rests at a boundary, at most once per boundary: a hint to
   * park, or to go on. Must not throw. A session without it keeps its worker.
   */
  readonly onPressure?: () => void;
  /**
   * Asked before a step when other cells need the worker and are likely to get it only by `onPressure`: how many bytes the
   * cell may be parked with at the boundary the step comes to, at once and unasked; 0 for not at all. Must not throw.
   */
  readonly roomToPark?: () => number;
}

/** What settles at a boundary. */
export interface Delivery {
  /** In settlement order. */
  readonly replies: readonly BridgeReply[];
  /** Ids of timers the host dropped; the guest forgets them without running their callbacks. */
  readonly cancelled?: readonly number[];
}

/**
 * One cell on one worker. Guest and worker faults are values (`failed` steps); the methods reject only for misuse.
 *
 * Each method that returns a step may be called when the previous one has settled. `remainingMs` is what is left of
 * the caller's budget; a step that outlives it is `failed` with `timeout`, after the watchdog's grace at the latest.
 */
export interface CellSession {
  /** Waits for a worker at most `maxQueueMs`, then gives `refused` with `timeout`. Default: all of `remainingMs`. */
  start(start: CellStart, remainingMs: number, maxQueueMs?: number): Promise<CellStep>;
  deliver(delivery: Delivery, remainingMs: number): Promise<CellStep>;
  /**
   * Gives `parked`, or `refused` with `snapshot_limit_exceeded` when the snapshot would be larger than `maxBytes`, by
   * default `maxSnapshotBytes`. Only at a boundary.
   */
  park(remainingMs: number, maxBytes?: number): Promise<CellStep>;
  /**
   * Ends the cell whatever it does, also mid-step: the step under way then gives `failed` with `aborted`. Settles once
   * the worker can have no further effect. Idempotent.
   */
  close(): Promise<void>;
}

/** Runs cells somewhere: the local pool of worker threads, or another machine. */
export interface CellExecutor {
  /** Starts what the first cell would otherwise wait for. */
  prewarm(options?: { readonly typescript?: boolean }): Promise<void>;
  openSession(options: CellSessionOptions): CellSession;
  /** Ends every session and thread. Settles when no thread is left. Idempotent. */
  close(): Promise<void>;
}
