import { expect, test } from "vitest";
import { resolveLimits } from "./options.js";

test("the defaults", () => {
  expect(resolveLimits({})).toEqual({
    startTimeoutMs: 15_000,
    requestTimeoutMs: 60_000,
    closeGraceMs: 2_000,
    maxMessageBytes: 16_777_216,
    maxStderrBytes: 16_384,
    maxToolsPerServer: 10_000,
    maxListPages: 200,
  });
  expect(resolveLimits({ startTimeoutMs: 1 }).startTimeoutMs).toBe(1);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])("%d is no limit", (value) => {
  expect(() => resolveLimits({ closeGraceMs: value })).toThrow(
    expect.objectContaining({
      code: "invalid_argument",
      message: "closeGraceMs must be a whole number from 1 to 2147483647.",
    }),
  );
});
