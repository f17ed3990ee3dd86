import { expect, test } from "vitest";
import { SourceError, toSourceError } from "./source-error.js";

test("message, place and hint are one text", () => {
  const error = toSourceError({ message: "SyntaxError: no", hint: "Do this." }, { line: 2, column: 3 });
  expect(error.message).toBe("SyntaxError: no (line 2, column 3). Do this.");
  expect(error).toMatchObject({ name: "SourceError", code: "invalid_input", line: 2, column: 3 });
});

test("without a place there are no line and column", () => {
  const error = toSourceError({ message: "too long" });
  expect(error.message).toBe("too long");
  expect([error.line, error.column]).toEqual([undefined, undefined]);
});

test("isInstance knows its own and nothing else", () => {
  expect(SourceError.isInstance(new SourceError("x"))).toBe(true);
  expect(SourceError.isInstance(new Error("x"))).toBe(false);
  expect(SourceError.isInstance(null)).toBe(false);
});
