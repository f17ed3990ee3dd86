/** Effective limits of a run: resolved, clamped, complete. */
export interface CellLimits {
  /** Wall-clock budget of one exec or wait, in ms. Default 10_000, range 100 to 60_000. Queueing and the start of a worker count. */
  readonly timeoutMs: number;
  /** Memory one cell's VM may allocate, in bytes. Default 64 MiB, range 1 MiB to 1 GiB. */
  readonly memoryLimitBytes: number;
  /** Serialized UTF-8 budget of value, output and error over all waits, in bytes. Default 64 KiB, range 1 KiB to 10 MiB. */
  readonly maxOutputBytes: number;
  /** Largest VM memory plus metadata that may be parked, in bytes, uncompressed. Default 10 MiB, range 1 KiB to 256 MiB. */
  readonly maxSnapshotBytes: number;
  /** Unsettled bridge requests but timers and yields. Default 16, range 1 to 128. */
  readonly maxPendingToolCalls: number;
  /** What an oversized batch does: fail before dispatch, or queue up to 128 more. Default `reject`. */
  readonly overflow: "reject" | "queue";
  /** Bytes of one nested result the guest may receive. Default `maxOutputBytes`, range 1 KiB to `memoryLimitBytes`. */
  readonly maxToolResultBytes: number;
  /** Life of a parked run, in seconds. Default 900, range 1 to 86_400. */
  readonly snapshotTtlSeconds: number;
  /** Parked runs one session may hold. Default 16, range 1 to 64. */
  readonly maxSuspendedPerSession: number;
  /** Hits of a search that names no limit. Default 8, at most `maxSearchLimit`. */
  readonly searchDefaultLimit: number;
  /** Most hits a search may ask for. Default 50, range 1 to 50. */
  readonly maxSearchLimit: number;
  /** Longest source, in UTF-8 bytes. Default 256 KiB, range 1 KiB to 4 MiB. */
  readonly maxSourceBytes: number;
  /** Time past the deadline before a worker is terminated, in ms. Default 500, range 50 to 10_000. */
  readonly watchdogGraceMs: number;
  /** Whether `catalog.search` returns MCP handles too. Default false. */
  readonly catalogIncludesMcp: boolean;
}

/** The limits that hold inside the VM; they travel to the worker with each cell. */
export type VmLimits = Pick<CellLimits, "memoryLimitBytes" | "maxOutputBytes" | "maxSnapshotBytes" | "maxSourceBytes">;

/** Parked runs one host object holds at a time, resuming ones included. */
export const MAX_SUSPENDED_RUNS = 64;

/** Longest source where no limit is given, in UTF-8 bytes. */
export const DEFAULT_MAX_SOURCE_BYTES = 262_144;
