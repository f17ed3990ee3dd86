import type {
  CellExecutor,
  CellLanguage,
  CellLimits,
  CellSeed,
  CodeModeEvent,
  RunScope,
  SnapshotStore,
  ToolExecutor,
  ToolHooks,
} from "@codemode/protocol";
import type { Redactor, Telemetry, Tracing, Trajectory } from "@codemode/telemetry";
import type { AbortRelay } from "./abort-relay.js";
import type { Clock } from "./clock.js";
import type { DebugView } from "./debug-view.js";
import type { MediaStore } from "./media-store.js";
import type { ModelView } from "./model-view.js";
import type { ParkingMemory } from "./parking-memory.js";
import type { Projection } from "./projection.js";
import type { RunBudgetGuard } from "./run-budget.js";
import type { SequenceGate } from "./sequence-gate.js";

/** What a host object is made of. Everything a cell needs from outside comes through here. */
export interface HostParts {
  readonly executor: CellExecutor;
  readonly store: SnapshotStore;
  readonly clock: Clock;
  readonly parkingMemory: ParkingMemory;
  /** The one listener on each signal of a caller. */
  readonly signals: AbortRelay;
  /** Masks secrets in what is kept or shown. */
  readonly redactor: Redactor;
  /** Absent without a tracer; gives undefined when spans are impossible. */
  readonly tracing?: Promise<Tracing | undefined>;
  /** Absent unless somebody is looking. */
  readonly debug?: DebugView;
  /** A fresh random UUID. */
  readonly newId: () => string;
  /** Never throws. */
  readonly emit: (event: CodeModeEvent) => void;
  /** Makes a fault visible that no caller is there to get. Never throws. */
  readonly reportFault: (fault: unknown) => void;
}

/** The tools of a run as they stand now. A cell keeps the one it started with. */
export interface CatalogState {
  readonly projection: Projection;
  readonly telemetry: Telemetry;
}

/** Set once, when the run is closed. */
export interface RunLifetime {
  closedReason: string | undefined;
}

/** What holds for a script beside the limits of its cell. */
export interface ScriptBounds {
  /** Nested calls in all. */
  readonly maxCalls: number;
  /** What is left of its time, in ms; people are not counted. */
  remainingMs(): number;
}

/** What the cells of one run share. */
export interface RunContext {
  readonly host: HostParts;
  readonly scope: RunScope;
  readonly hostContext?: unknown;
  readonly limits: CellLimits;
  readonly languages: readonly CellLanguage[];
  readonly hooks?: ToolHooks;
  readonly executeTool: ToolExecutor;
  readonly gate: SequenceGate;
  /** Absent unless the host has a budget of its own. */
  readonly budget?: RunBudgetGuard;
  readonly trajectory: Trajectory;
  readonly seed?: CellSeed;
  /** The host asked for a replay: every cell is restart-safe. */
  readonly isReplay: boolean;
  /** Absent when results go to the model as they are. */
  readonly modelView?: ModelView;
  /** Only of a run that is one headless script. */
  readonly script?: ScriptBounds;
  readonly lifetime: RunLifetime;
  readonly media: MediaStore;
  catalog(): CatalogState;
}
