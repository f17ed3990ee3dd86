import { Type, type Static } from "./schema-builder.js";

/** Milliseconds spent in each of the three clocks. */
export const TimingSchema = Type.Object({
  guestMs: Type.Number(),
  toolsMs: Type.Number(),
  peopleMs: Type.Number(),
});

export const CodeModeTelemetrySchema = Type.Object({
  /** Tools in the hidden catalog, MCP tools included. */
  catalogSize: Type.Integer(),
  /** Tools by source label, such as `{ host: 3, mcp: 13 }`. */
  sources: Type.Record(Type.String(), Type.Integer()),
  /** Identity of one counter lifetime. */
  counterScope: Type.String(),
  searchCount: Type.Integer(),
  describeCount: Type.Integer(),
  callCount: Type.Integer(),
  waitCount: Type.Integer(),
  /** Control tools the model sees, always `exec` and `wait`. */
  visibleTools: Type.Array(Type.String()),
  timing: Type.Optional(TimingSchema),
});
/** Counters of a run's catalog. Holds no input, no output and no secret. */
export type CodeModeTelemetry = Static<typeof CodeModeTelemetrySchema>;
export type CellTiming = Static<typeof TimingSchema>;

/** What happened to one nested call. */
export interface NestedCallRecord {
  readonly id: string;
  /** Id of the outer exec or wait call that dispatched it. */
  readonly parentId?: string;
  readonly toolName: string;
  readonly callableName: string;
  readonly source: string;
  readonly status: "running" | "completed" | "failed" | "unknown";
  /** Milliseconds since the run was opened, monotonic. */
  readonly startedAtMs: number;
  /** Absent while it runs. */
  readonly durationMs?: number;
  /** Error name and message, bounded, when it failed. */
  readonly error?: string;
}

/** Per-run statistics. */
export interface RunStats {
  readonly codeModeEngaged: boolean;
  readonly assistantTurns: number;
  readonly bridgeCalls: { readonly search: number; readonly describe: number; readonly call: number };
  /** Absent when nobody reported a price. */
  readonly costUsd?: number;
}

/** What a host may observe. Carries no input, no output and no secret. */
export type CodeModeEvent =
  | { readonly type: "cell-start"; readonly cellId: string; readonly language: string }
  | {
      readonly type: "cell-end";
      readonly cellId: string;
      readonly status: string;
      readonly code?: string;
      readonly durationMs: number;
    }
  /** `bytes` is what counts against `maxSnapshotBytes`: before any compression. */
  | { readonly type: "cell-park"; readonly cellId: string; readonly runId: string; readonly bytes: number }
  /** The default store has compressed an idle parked cell from `bytes` to `storedBytes`. */
  | { readonly type: "cell-compress"; readonly runId: string; readonly bytes: number; readonly storedBytes: number }
  | { readonly type: "cell-resume"; readonly cellId: string; readonly runId: string }
  | { readonly type: "call-start"; readonly cellId: string; readonly callId: string; readonly name: string }
  | {
      readonly type: "call-end";
      readonly cellId: string;
      readonly callId: string;
      readonly name: string;
      readonly status: string;
      readonly durationMs: number;
    }
  | { readonly type: "worker-start"; readonly workerId: number }
  /** Cells get an engine of their own, which is slower; told once per pool. `reason` is for people. */
  | { readonly type: "runtime-fallback"; readonly workerId: number; readonly reason: string }
  | { readonly type: "worker-exit"; readonly workerId: number; readonly reason: WorkerExitReason };

/** Why a worker thread ended. */
export type WorkerExitReason = "idle" | "closed" | "deadline" | "aborted" | "crashed" | "malformed";
