import { expect, test } from "vitest";
import { impliedWords } from "./implied-words.js";

test.each([
  ["flights on 2024-05-01", ["date"]],
  ["flights on May 3rd", ["date"]],
  ["what happens tomorrow", ["date"]],
  ["call me at 5 pm", ["time"]],
  ["read https://example.com/a", ["url"]],
  ["tell ann@example.com", ["email"]],
  ["pay $5", ["amount", "price"]],
  ["raise it by 4 %", ["percentage", "rate"]],
  ["ping 10.0.0.1", ["ip"]],
  ["weather in Paris", ["city", "location"]],
  ["open report.pdf", ["file", "path"]],
  ["how long does it take, and when", ["date", "time", "duration"]],
  ["list shipments", []],
])("%s", (query, words) => {
  expect(impliedWords(query)).toEqual(words);
});

test("no text makes the forms slow", () => {
  for (const text of ["1".repeat(4_000), "a.".repeat(2_000), "1.1.".repeat(1_000), " ".repeat(4_000)]) {
    expect(impliedWords(text)).toBeInstanceOf(Array);
  }
});
