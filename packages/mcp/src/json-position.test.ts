import { expect, test } from "vitest";
import { findJsonError } from "./json-position.js";

test.each([
  ["", 1, 1],
  ["{", 1, 2],
  ["[1, 2", 1, 6],
  ["[1,]", 1, 4],
  ['{"a": 1,}', 1, 9],
  ['{"a" 1}', 1, 6],
  ["{a: 1}", 1, 2],
  ['{"a": 01}', 1, 8],
  ['{"a": x}', 1, 7],
  ["{'a': 1}", 1, 2],
  ['{"a": "b}', 1, 7],
  ['{"a": "tab\there"}', 1, 7],
  ["1 2", 1, 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\n  // comment\n  "a": 1\n}', 2, 3],
  ["[[[", 1, 4],
  ["[1}", 1, 3],
])("%j stops being JSON at line %i, column %i", (text, line, column) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(findJsonError(text)).toEqual({ line, column });
});

test("nesting beyond any real file stops at a place instead of overflowing", () => {
  expect(findJsonError("[".repeat(100_000))).toEqual({ line: 1, column: 501 });
});

test.each(['{"a":[1,-2.5e3,true,false,null,"\\u00e9\\n"],"b":{}}', " [] ", '"x"', "0"])(
  "valid JSON is read to its end (%s)",
  (text) => expect(findJsonError(text)).toEqual({ line: 1, column: text.length + 1 }),
);
