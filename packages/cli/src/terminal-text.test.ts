import { expect, test } from "vitest";
import { colorsFor, visibleText } from "./terminal-text.js";

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
])("colour on a stream with isTTY %s and environment %j: %s", (isTTY, env, isColored) => {
  const { red } = colorsFor({ write: () => {}, isTTY }, env);
  expect(red("x")).toBe(isColored ? "\u001b[31mx\u001b[39m" : "x");
});

test("control characters of tools become visible, text does not change", () => {
  expect(visibleText("a\tb\nü 𝄞")).toBe("a\tb\nü 𝄞");
  expect(visibleText("\u001b[31m\r\u0000\u009b")).toBe("\\x1b[31m\\x0d\\x00\\x9b");
});

test("marks that turn the direction of writing become visible, right-to-left text does not change", () => {
  expect(visibleText("\u202eabc\u202c \u200f\u200e\u061c\u2066\u2069\u2028")).toBe(
    "\\u202eabc\\u202c \\u200f\\u200e\\u061c\\u2066\\u2069\\u2028",
  );
  expect(visibleText("שלום 👩\u200d💻")).toBe("שלום 👩\u200d💻");
});
