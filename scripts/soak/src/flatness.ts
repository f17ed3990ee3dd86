/** A figure after so many cells. */
export interface Point {
  readonly cells: number;
  readonly value: number;
}

/** How a figure went after the warm-up. */
export interface Trend {
  readonly min: number;
  readonly max: number;
  /** Growth per 1,000 cells: the median of the slopes between all pairs, which single outliers do not move. */
  readonly slope: number;
  /** What that slope makes over all cells that were looked at. */
  readonly growth: number;
  /** Growth above this is not flat. */
  readonly allowed: number;
  readonly verdict: "flat" | "growing" | "too short to tell";
}

export interface TrendOptions {
  /** Cells that do not count yet. */
  readonly warmUpCells: number;
  /** Growth that is always allowed, and as a share of the median. */
  readonly allowance: { readonly absolute: number; readonly share: number };
  /** Points after the warm-up, and cells they are of, below which there is no verdict. */
  readonly minimum: { readonly points: number; readonly cells: number };
}

/** Undefined when nothing is left after the warm-up. */
export function trendOf(points: readonly Point[], options: TrendOptions): Trend | undefined {
  const counted = points.filter(({ cells }) => cells > options.warmUpCells);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const values = counted.map(({ value }) => value);
  const slope = median(slopes(counted)) * 1_000;
  const growth = (slope * (last.cells - first.cells)) / 1_000;
  const allowed = Math.max(options.allowance.absolute, options.allowance.share * median(values));
  const verdict = growth > allowed ? "growing" : "flat";
  return {
    min: Math.min(...values),
    max: Math.max(...values),
    slope,
    growth,
    allowed,
    verdict: isLongEnough(counted, options) ? verdict : "too short to tell",
  };
}

function isLongEnough(points: readonly Point[], { minimum }: TrendOptions): boolean {
  const cells = (points.at(-1)?.cells ?? 0) - (points[0]?.cells ?? 0);
  return points.length >= minimum.points && cells >= minimum.cells;
}

function slopes(points: readonly Point[]): number[] {
  return points.flatMap((from, at) =>
    points.slice(at + 1).map((to) => (to.value - from.value) / (to.cells - from.cells)),
  );
}

/** 0 of nothing. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return 0;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
