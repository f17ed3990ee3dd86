import { expect, test } from "vitest";
import { readMark, renderMark } from "./mark.js";

test.each([{ cell: 12 }, { cell: 0, death: "park" }] as const)("a mark is read as it was written: %j", (mark) => {
  expect(readMark(`${renderMark(mark)}return 1;`)).toEqual(mark);
});

test("a source without a mark at its start has none", () => {
  expect(readMark("return '/* soak 1 */'")).toBeUndefined();
});
