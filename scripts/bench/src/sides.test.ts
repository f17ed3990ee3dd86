import { expect, test } from "vitest";
import { ratioOf, summaryOf, toSides } from "./sides.js";

const sides = toSides(
  [
    { name: "floor", values: [1, 2, 3] },
    { name: "ours", values: [8, 4, 6] },
    { name: "peer", unavailable: "does not install" },
  ],
  (name) => ({
    role: name === "floor" ? "floor" : name === "ours" ? "ours" : "peer",
    unit: "ms",
    ...(name === "ours" ? { against: "floor" } : { against: "peer" }),
  }),
);

test("sides have summaries, ratios where both were measured, and reasons where not", () => {
  expect(sides).toEqual([
    {
      name: "floor",
      role: "floor",
      status: "measured",
      unit: "ms",
      summary: { count: 3, min: 1, p50: 2, p90: 3, max: 3 },
    },
    {
      name: "ours",
      role: "ours",
      status: "measured",
      unit: "ms",
      summary: { count: 3, min: 4, p50: 6, p90: 8, max: 8 },
      ratio: { to: "floor", value: 3 },
    },
    { name: "peer", role: "peer", status: "unavailable", reason: "does not install" },
  ]);
});

test("what was not measured has no summary and no ratio", () => {
  expect(summaryOf(sides, "ours")?.p50).toBe(6);
  expect(summaryOf(sides, "peer")).toBeUndefined();
  expect(ratioOf(sides, "ours", "floor")).toBe(3);
  expect(ratioOf(sides, "peer", "ours")).toBeUndefined();
});
