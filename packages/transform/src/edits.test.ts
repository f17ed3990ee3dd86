import { expect, test } from "vitest";
import { applyEdits, blank } from "./edits.js";

test("insertions are recorded by their offset in the edited text", () => {
  const edits = [
    { type: "insert", offset: 4, text: ")" },
    { type: "insert", offset: 0, text: "return (" },
    { type: "overwrite", offset: 1, text: "--" },
  ] as const;
  expect(applyEdits("abcd", edits)).toEqual({
    code: "return (a--d)",
    insertions: [
      { offset: 0, length: 8 },
      { offset: 12, length: 1 },
    ],
  });
});

test("at one offset an insertion comes before an overwrite", () => {
  const edits = [
    { type: "overwrite", offset: 1, text: "X" },
    { type: "insert", offset: 1, text: "+" },
  ] as const;
  expect(applyEdits("abc", edits).code).toBe("a+Xc");
});

test("no edits leave the text alone", () => {
  expect(applyEdits("abc", [])).toEqual({ code: "abc", insertions: [] });
});

test("blanking keeps length and lines", () => {
  expect(blank("a\r\nb\u2028c\rd", 0, 7)).toEqual({ type: "overwrite", offset: 0, text: " \r\n \n \r" });
});
