import { expect, test } from "vitest";
import { quantile, summarise } from "./statistics.js";

test("a summary has the nearest rank of every share", () => {
  const samples = [10, 2, 9, 4, 7, 6, 5, 8, 3, 1];
  expect(summarise(samples)).toEqual({ count: 10, min: 1, p50: 5, p90: 9, max: 10 });
  expect(samples[0]).toBe(10);
});

test("one sample is every quantile", () => {
  expect(summarise([3.5])).toEqual({ count: 1, min: 3.5, p50: 3.5, p90: 3.5, max: 3.5 });
});

test("numbers are not ordered as text", () => {
  expect(quantile([9, 10, 100], 0.5)).toBe(10);
});

test("no samples have no summary", () => {
  expect(() => summarise([])).toThrow(new RangeError("There are no samples."));
});
