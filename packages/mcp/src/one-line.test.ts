import { expect, test } from "vitest";
import { oneLine } from "./one-line.js";

test("untrusted text is put on one bounded line without control characters", () => {
  expect(oneLine("  a\r\n\tb\u001b[31mred\u0000\u009b  ")).toBe("a b [31mred");
  expect(oneLine("x".repeat(400))).toBe(`${"x".repeat(299)}…`);
  expect(oneLine("abcdef", 4)).toBe("abc…");
  expect(oneLine("abcd", 4)).toBe("abcd");
});
