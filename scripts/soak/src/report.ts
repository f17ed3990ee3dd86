import type { Loss } from "./losses.js";
import type { MemorySample, MemoryTrend } from "./memory.js";

/** How the cells of one kind ended. */
export interface KindReport {
  readonly kind: string;
  readonly expected: readonly string[];
  /** How often each ending was seen. Those that are not expected are problems, but for `lost with its thread`. */
  readonly seen: Readonly<Record<string, number>>;
}

/** One whole soak. Serialisable. */
export interface SoakReport {
  readonly startedAt: string;
  readonly seed: number;
  readonly cells: number;
  readonly workers: number;
  readonly inFlight: number;
  readonly seconds: number;
  readonly node: string;
  readonly platform: string;
  readonly kinds: readonly KindReport[];
  readonly totals: {
    /** Nested calls that reached a tool. */
    readonly calls: number;
    /** VMs the engines opened, and cells taken off a worker and put back on one. */
    readonly vms: number;
    readonly parks: number;
    readonly resumes: number;
    /** Parked in the store; the other parks were made under pressure. */
    readonly storeParks: number;
    readonly threadsStarted: number;
    readonly workerExits: Readonly<Record<string, number>>;
  };
  readonly kills: {
    /** Threads that were ended from outside at random. */
    readonly count: number;
    readonly lostCells: number;
    /** Lost cells that no kill explains. */
    readonly unexplained: readonly Loss[];
  };
  /** What was left behind at checkpoints, with the cells played until then, and at the end. Empty when all is well. */
  readonly leftovers: readonly string[];
  readonly memory: { readonly trends: readonly MemoryTrend[]; readonly samples: readonly MemorySample[] };
  /** Everything that was wrong. Empty when all is well. */
  readonly problems: readonly string[];
}
