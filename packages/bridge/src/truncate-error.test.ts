import fc from "fast-check";
import { expect, test } from "vitest";
import { toPlainError } from "./plain-error.js";
import { truncateError } from "./truncate-error.js";

fc.configureGlobal({ seed: 3 });

const SUFFIX = " [error truncated]";

test("LIM-05: a message that fits is kept as it is", () => {
  expect(truncateError("Error: no", 11)).toBe("Error: no");
});

test("LIM-05: a longer message keeps its head, ends with the suffix and fits its budget", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 30, maxLength: 300 }),
      fc.integer({ min: 30, max: 200 }),
      (message, maxBytes) => {
        const bounded = truncateError(message, maxBytes);
        expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThanOrEqual(maxBytes);
        if (bounded === message) return;
        expect(bounded.endsWith(SUFFIX)).toBe(true);
        expect(message.startsWith(bounded.slice(0, -SUFFIX.length))).toBe(true);
      },
    ),
  );
});

test("LIM-05: escapes count as they are serialized, and pairs stay whole", () => {
  expect(truncateError('"'.repeat(100), 40)).toBe(`${'"'.repeat(10)}${SUFFIX}`);
  expect(truncateError("😀".repeat(100), 31)).toBe(`😀😀${SUFFIX}`);
  expect(truncateError("\ud800", 100)).toBe("\ufffd");
  expect(truncateError("x".repeat(100), 10)).toBe(" [error ");
});

test("ERR-02: what the host throws becomes name, message and text code, nothing else", () => {
  const failure = Object.assign(new TypeError("no such user", { cause: new Error("secret") }), {
    code: "E_USER",
    secret: 1,
  });
  expect(toPlainError(failure)).toEqual({ name: "TypeError", message: "no such user", code: "E_USER" });
  expect(toPlainError(Object.assign(new Error("m"), { code: 42 }))).toEqual({ name: "Error", message: "m" });
  expect(toPlainError("text")).toEqual({ name: "Error", message: "text" });
  expect(toPlainError({ message: "duck" })).toEqual({ name: "Error", message: "duck" });
  expect(toPlainError(undefined)).toEqual({ name: "Error", message: "undefined" });
  expect(toPlainError([1])).toEqual({ name: "Error", message: "an array" });
  expect(toPlainError(Symbol("s"))).toEqual({ name: "Error", message: "a symbol" });
});

test("ERR-02: a hostile error cannot throw and cannot grow", () => {
  const hostile = {
    get name(): never {
      throw new Error("trap");
    },
    message: "m".repeat(10_000),
    code: "c".repeat(1000),
  };
  expect(toPlainError(hostile, 100)).toEqual({
    name: "Error",
    message: `${"m".repeat(80)}${SUFFIX}`,
    code: "c".repeat(198),
  });
});

test("LIM-05: of a huge text only the start that can fit is read", () => {
  const huge = "é".repeat(50_000_000);
  const startedAt = performance.now();
  for (let round = 0; round < 20; round += 1) {
    expect(truncateError(huge, 40)).toBe(`${"é".repeat(10)}${SUFFIX}`);
    const error = toPlainError(Object.assign(new Error(huge), { name: huge, code: huge }), 40);
    expect(error).toEqual({
      name: "é".repeat(99),
      code: "é".repeat(99),
      message: `${"é".repeat(10)}${SUFFIX}`,
    });
  }
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("LIM-05: a pair where the reading ends is not split", () => {
  for (const lead of [36, 37, 38, 39, 40]) {
    expect(truncateError(`${"x".repeat(lead)}😀${"x".repeat(60)}`, 40)).toBe(`${"x".repeat(20)}${SUFFIX}`);
  }
  expect(toPlainError({ name: `${"x".repeat(199)}😀`, message: "m" }).name).toBe("x".repeat(198));
});
