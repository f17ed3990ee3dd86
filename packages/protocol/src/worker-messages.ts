import { CellStepSchema, type CellStart, type Delivery } from "./executor.js";
import type { GuestSurface } from "./surface.js";
import type { VmLimits } from "./limits.js";
import { PreparedSourceSchema, type PreparedSource } from "./source.js";
import { SourceLocationSchema, type CellLanguage } from "./cell.js";
import { CodeModeErrorCodeSchema } from "./error-codes.js";
import { Type, type Static } from "./schema-builder.js";

type NamedSurface<Start> = Start extends { readonly surface: GuestSurface }
  ? Omit<Start, "surface"> & { readonly surface: string }
  : never;

/** A start as a worker gets it: the surface is named by its fingerprint. */
export type WorkerCellStart = NamedSurface<CellStart>;

/**
 * Host to worker, on the port of one worker. `cell` numbers the worker's cells and rises; `step` numbers the steps
 * of one cell from 1, so that a stale answer is recognised.
 */
export type WorkerCommand =
  /** Makes a surface known for later starts, until it is forgotten. */
  | {
      readonly type: "surface";
      readonly fingerprint: string;
      /** JSON of a `GuestSurface`. */
      readonly text: string;
      /** A surface that is no longer needed. */
      readonly forget?: string;
    }
  | {
      readonly type: "start";
      readonly cell: number;
      readonly step: number;
      /** A source that was prepared elsewhere (TypeScript) comes with `prepared`. */
      readonly start: WorkerCellStart;
      readonly prepared?: PreparedSource;
      readonly limits: VmLimits;
      readonly remainingMs: number;
      /** Park at the boundary the step comes to, if the snapshot is no larger. */
      readonly parkBytes?: number;
    }
  | {
      readonly type: "deliver";
      readonly cell: number;
      readonly step: number;
      readonly delivery: Delivery;
      readonly remainingMs: number;
      /** As for `start`. */
      readonly parkBytes?: number;
    }
  | {
      readonly type: "park";
      readonly cell: number;
      readonly step: number;
      /** Largest snapshot to give; `maxSnapshotBytes` holds as well. */
      readonly maxBytes: number;
      readonly remainingMs: number;
    }
  /** Disposes the cell's VM; answered with `ended`. */
  | { readonly type: "end"; readonly cell: number }
  /** Ends the worker's task. */
  | { readonly type: "stop" };

export const WorkerReportSchema = Type.Union([
  Type.Object({ type: Type.Literal("ready") }),
  /** Cells do without images from now on; at most once per worker. `reason` is for people. */
  Type.Object({ type: Type.Literal("fallback"), reason: Type.String() }),
  Type.Object({
    type: Type.Literal("step"),
    cell: Type.Integer({ minimum: 1 }),
    step: Type.Integer({ minimum: 1 }),
    result: CellStepSchema,
  }),
  Type.Object({ type: Type.Literal("ended"), cell: Type.Integer({ minimum: 1 }) }),
]);
/** Worker to host. Untrusted: the thread ran hostile code. */
export type WorkerReport = Static<typeof WorkerReportSchema>;

/** What the pool hands to the worker's entry. */
export type WorkerTask<Port = unknown> =
  | {
      readonly type: "serve";
      readonly port: Port;
      /** One 32-bit count, raised and notified after each message to the worker, so that it can sleep on it. */
      readonly doorbell: SharedArrayBuffer;
      /** A cell waits for this worker, which then leaves out of getting ready what only spares a later cell time. */
      readonly isAwaited: boolean;
    }
  | {
      readonly type: "compile";
      readonly source: string;
      readonly language: CellLanguage;
      /** Longest source, in UTF-8 bytes. */
      readonly maxSourceBytes: number;
    };

export const CompileOutcomeSchema = Type.Union([
  Type.Object({ type: Type.Literal("prepared"), prepared: PreparedSourceSchema }),
  Type.Object({
    type: Type.Literal("refused"),
    message: Type.String(),
    code: CodeModeErrorCodeSchema,
    location: Type.Optional(SourceLocationSchema),
  }),
]);
/** The answer to a compile task. */
export type CompileOutcome = Static<typeof CompileOutcomeSchema>;
