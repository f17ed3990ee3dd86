import { DEFAULT_MAX_SOURCE_BYTES } from "@codemode/protocol";

const KIB = 1_024;
const MIB = 1_024 * KIB;
const GIB = 1_024 * MIB;

/** Default and range of one numeric limit. Values outside are clamped; fractions are cut. */
export interface LimitRange {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** Numeric limits whose range is fixed. Units are in the names. */
export const LIMIT_RANGES = {
  timeoutMs: { default: 10_000, min: 100, max: 60_000 },
  memoryLimitBytes: { default: 64 * MIB, min: MIB, max: GIB },
  maxOutputBytes: { default: 64 * KIB, min: KIB, max: 10 * MIB },
  maxSnapshotBytes: { default: 10 * MIB, min: KIB, max: 256 * MIB },
  maxPendingToolCalls: { default: 16, min: 1, max: 128 },
  snapshotTtlSeconds: { default: 900, min: 1, max: 86_400 },
  maxSuspendedPerSession: { default: 16, min: 1, max: 64 },
  maxSearchLimit: { default: 50, min: 1, max: 50 },
  maxSourceBytes: { default: DEFAULT_MAX_SOURCE_BYTES, min: KIB, max: 4 * MIB },
  watchdogGraceMs: { default: 500, min: 50, max: 10_000 },
} as const satisfies Record<string, LimitRange>;

export type RangedLimit = keyof typeof LIMIT_RANGES;

/** Smallest nested result limit; its default is `maxOutputBytes`, its maximum `memoryLimitBytes`. */
export const MIN_TOOL_RESULT_BYTES = KIB;
/** Hits of a search that names no limit; at most `maxSearchLimit`. */
export const DEFAULT_SEARCH_LIMIT = 8;

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(Math.trunc(value), min), max);
}
