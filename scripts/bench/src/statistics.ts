/** What a set of samples comes to; all in the unit of the samples. */
export interface Summary {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}

/** @throws {RangeError} without samples. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    min: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    max: quantile(sorted, 1),
  };
}

/** Nearest rank: always one of the samples. `sorted` is ascending, `share` is from 0 to 1. @throws {RangeError} without samples. */
export function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError("There are no samples.");
  return value;
}
