import { expect, test } from "vitest";
import { describeProgress } from "./progress-text.js";

const progress = (fields: object): unknown => ({ type: "progress", ...fields });

test.each([
  [progress({ progress: 40, total: 100, message: "scanning" }), "40 of 100, scanning"],
  [progress({ progress: 40 }), "40"],
  [progress({ progress: 1 / 3, total: 1 }), "0.33 of 1"],
  [progress({ progress: 1e300, total: Infinity }), "1e+300"],
  [progress({ progress: 2, message: " two\n\u001b[31mlines\u0007 " }), "2, two [31mlines"],
  [progress({ progress: 2, message: "x".repeat(5_000) }), `2, ${"x".repeat(99)}…`],
  [progress({ progress: 2, total: "3", message: 4 }), "2"],
  [progress({ progress: Number.NaN }), undefined],
  [progress({}), undefined],
  [{ progress: 1 }, undefined],
  [null, undefined],
  ["40 of 100", undefined],
])("MCP-14: progress %j is told as %j", (partial, expected) => {
  expect(describeProgress(partial)).toBe(expected);
});
