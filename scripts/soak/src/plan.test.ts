import { expect, test } from "vitest";
import { planItems } from "./plan.js";
import { createRandom } from "./random.js";

const KINDS = [
  { name: "often", weight: 70 },
  { name: "seldom", weight: 29 },
  { name: "rare", weight: 1 },
];

function counts(count: number): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { name } of planItems(KINDS, count, createRandom(3))) counted[name] = (counted[name] ?? 0) + 1;
  return counted;
}

test("shares are kept, and no kind is left out where all have room", () => {
  expect(counts(1_000)).toEqual({ often: 700, seldom: 290, rare: 10 });
  expect(counts(50)).toEqual({ often: 35, seldom: 14, rare: 1 });
  expect(counts(3)).toEqual({ often: 1, seldom: 1, rare: 1 });
  expect(counts(2)).toEqual({ often: 2 });
});

test("the order depends on the seed alone", () => {
  const order = (seed: number) => planItems(KINDS, 100, createRandom(seed)).map(({ name }) => name);
  expect(order(1)).toEqual(order(1));
  expect(order(1)).not.toEqual(order(2));
});
