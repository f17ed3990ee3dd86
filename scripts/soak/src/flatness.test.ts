import { expect, test } from "vitest";
import { trendOf } from "./flatness.js";

const OPTIONS = { warmUpCells: 100, allowance: { absolute: 10, share: 0 }, minimum: { points: 5, cells: 500 } };

/** One point per 100 cells. */
function series(valueAt: (cells: number) => number): { cells: number; value: number }[] {
  return Array.from({ length: 20 }, (_, at) => ({ cells: (at + 1) * 100, value: valueAt((at + 1) * 100) }));
}

test("a figure that stays is flat, whatever it did while it warmed up", () => {
  expect(
    trendOf(
      series((cells) => (cells <= 100 ? 5 : 80)),
      OPTIONS,
    ),
  ).toEqual({
    min: 80,
    max: 80,
    slope: 0,
    growth: 0,
    allowed: 10,
    verdict: "flat",
  });
});

test("a small leak per cell is growth, also below noise", () => {
  const noise = (cells: number) => (cells % 300 === 0 ? 15 : -15);
  expect(
    trendOf(
      series((cells) => 100 + cells / 100 + noise(cells)),
      OPTIONS,
    ),
  ).toMatchObject({ verdict: "growing" });
  expect(
    trendOf(
      series((cells) => 100 + noise(cells)),
      OPTIONS,
    ),
  ).toMatchObject({ verdict: "flat" });
});

test("one outlier changes nothing, a share of the median can be allowed", () => {
  expect(
    trendOf(
      series((cells) => (cells === 2_000 ? 500 : 100)),
      OPTIONS,
    ),
  ).toMatchObject({ max: 500, growth: 0 });
  const growing = series((cells) => 100 + cells / 100);
  const allowance = { absolute: 0, share: 0.5 };
  expect(trendOf(growing, { ...OPTIONS, allowance })).toMatchObject({ verdict: "flat", slope: 10, growth: 18 });
});

test("few points or cells give no verdict, none nothing", () => {
  expect(trendOf(series(() => 1).slice(0, 3), OPTIONS)).toMatchObject({ verdict: "too short to tell" });
  const dense = Array.from({ length: 20 }, (_, at) => ({ cells: 200 + at, value: 1 }));
  expect(trendOf(dense, OPTIONS)).toMatchObject({ verdict: "too short to tell" });
  expect(trendOf(series(() => 1).slice(0, 1), OPTIONS)).toBeUndefined();
});
