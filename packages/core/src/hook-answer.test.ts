import { expect, test } from "vitest";
import { readHookAnswer } from "./hook-answer.js";

test.each([
  [undefined, { type: "allow" }],
  [null, { type: "allow" }],
  [{ input: { a: 1 } }, { type: "rewrite", input: { a: 1 } }],
  [{ input: undefined }, { type: "rewrite", input: undefined }],
  [{ block: "not today" }, { type: "block", reason: "not today" }],
  [{ block: 42 }, { type: "block", reason: "the host blocked this call." }],
  [
    { block: undefined, input: {} },
    { type: "block", reason: "the host blocked this call." },
  ],
  [{ block: " " }, { type: "block", reason: "the host blocked this call." }],
])("the answer %j reads as %j", (answer, expected) => {
  expect(readHookAnswer(answer)).toEqual(expected);
});

test.each([
  ["x", "a string"],
  [{}, "an object"],
  [[], "an array"],
  [7, "7"],
  [true, "true"],
])("the answer %j lets nothing through", (answer, described) => {
  expect(() => readHookAnswer(answer)).toThrow(
    new TypeError(`beforeToolCall must give nothing, { input } or { block }, got ${described}.`),
  );
});

test("a long reason is cut", () => {
  const answer = readHookAnswer({ block: "é".repeat(1_000_000) }) as { reason: string };
  expect(Buffer.byteLength(answer.reason)).toBeLessThanOrEqual(2_000);
  expect(answer.reason).toMatch(/^é+ \[error truncated\]$/);
});
