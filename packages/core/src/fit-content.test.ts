import { expect, test } from "vitest";
import { fitContent } from "./fit-content.js";

/** A content of `bytes` takes `charsOf(bytes)`; `limit` are allowed. */
function fit(maxBytes: number, limit: number, charsOf: (bytes: number) => number) {
  const tried: number[] = [];
  const best = fitContent(maxBytes, (bytes) => {
    tried.push(bytes);
    return { bytes, excess: charsOf(bytes) - limit };
  });
  return { bytes: best?.bytes, tried };
}

test("what fits whole is tried once", () => {
  expect(fit(65_536, 65_536, (bytes) => bytes)).toEqual({ bytes: 65_536, tried: [65_536] });
});

test("the most that fits is found, in few tries where it grows evenly", () => {
  const even = fit(65_536, 20_011, (bytes) => bytes + 500);
  expect(even.bytes).toBe(19_511);
  expect(even.tried.length).toBeLessThanOrEqual(4);
  expect(Math.floor((fit(65_536, 20_000, (bytes) => Math.floor(bytes / 3)).bytes ?? 0) / 3)).toBe(20_000);
});

test.each([
  ["steps", (bytes: number): number => Math.floor(bytes / 100) * 100, 19_999],
  ["a bend", (bytes: number): number => (bytes < 10_000 ? bytes : 10_000 + (bytes - 10_000) * 5), 12_000],
])("the most that fits is found over %s", (_name, charsOf, bytes) => {
  const found = fit(65_536, bytes === 19_999 ? 19_950 : 20_000, charsOf);
  expect([found.bytes, found.tried.length < 40]).toEqual([bytes, true]);
});

test("nothing is given when the least does not fit", () => {
  expect(fit(65_536, 100, (bytes) => bytes)).toEqual({ bytes: undefined, tried: [65_536, 256] });
});
