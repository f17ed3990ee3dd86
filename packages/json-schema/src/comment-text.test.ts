import { expect, test } from "vitest";
import { commentLine, commentLines } from "./comment-text.js";

const LIMITS = { maxLines: 3, maxChars: 60 };

test("MCP-09: a comment cannot be ended, with or without invisible characters", () => {
  expect(commentLines("a */ b *\u200B/ c", LIMITS)).toEqual(["a *\\/ b *\\/ c"]);
});

test("MCP-09: every line break ends a line, and tags at its start are disarmed", () => {
  expect(commentLines("a\r\nb\u2028@returns c", LIMITS)).toEqual(["a", "b", "\\@returns c"]);
  expect(commentLine("a\n\u2029\u0085b\vc", 60)).toBe("a b c");
});

test("text is bounded in characters and lines, and pairs stay whole", () => {
  expect(commentLines("1\n2\n3\n4", LIMITS)).toEqual(["1", "2", "…"]);
  expect(commentLine("x".repeat(59) + "\u{1F600}y", 61)).toBe(`${"x".repeat(59)}…`);
});

test("controls, direction overrides and halves of pairs vanish", () => {
  expect(commentLine("a\u0000\u001Bb\u202Ec\uD800d\te", 60)).toBe("abcd e");
});
