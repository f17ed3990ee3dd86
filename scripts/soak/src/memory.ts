import { trendOf, type Point, type Trend } from "./flatness.js";

const FIGURES = ["rss", "heapUsed", "external", "arrayBuffers"] as const;
export type MemoryFigure = (typeof FIGURES)[number];

/** The process's memory at a moment when no cell was open, in bytes. */
export type MemorySample = { readonly cells: number } & Readonly<Record<MemoryFigure, number>>;

const MIB = 1024 * 1024;
/** Before that many cells, or before that share of them, images and compiled code are still being built. */
const WARM_UP = { cells: 2_000, share: 0.3 };
/** The heap of this thread is exact after a collection; the rest depends on threads that come and go. */
const ALLOWANCES: Readonly<Record<MemoryFigure, { readonly absolute: number; readonly share: number }>> = {
  rss: { absolute: 24 * MIB, share: 0.1 },
  heapUsed: { absolute: MIB, share: 0.05 },
  external: { absolute: 2 * MIB, share: 0.05 },
  arrayBuffers: { absolute: MIB, share: 0.05 },
};
const MINIMUM = { points: 10, cells: 1_400 };

/** Takes a sample after a full collection. Only in a process with `--expose-gc`. */
export function sampleMemory(cells: number): MemorySample {
  if (globalThis.gc === undefined) throw new Error("memory is only sampled with --expose-gc");
  globalThis.gc();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { cells, rss, heapUsed, external, arrayBuffers };
}

export interface MemoryTrend extends Trend {
  readonly figure: MemoryFigure;
}

/** How each figure went after the warm-up; those that were not sampled then are left out. */
export function memoryTrends(samples: readonly MemorySample[]): MemoryTrend[] {
  const total = samples.at(-1)?.cells ?? 0;
  const warmUpCells = Math.max(Math.min(WARM_UP.cells, total / 2), WARM_UP.share * total);
  return FIGURES.flatMap((figure) => {
    const points: Point[] = samples.map((sample) => ({ cells: sample.cells, value: sample[figure] }));
    const trend = trendOf(points, { warmUpCells, allowance: ALLOWANCES[figure], minimum: MINIMUM });
    return trend === undefined ? [] : [{ figure, ...trend }];
  });
}
