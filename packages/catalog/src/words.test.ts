import { expect, test } from "vitest";
import { isGenericWord, partsOf, stem, tokensOf, wordOf } from "./words.js";

function wordsOf(text: string): string[] {
  return tokensOf(text).flatMap((token) => partsOf(token).flatMap((part) => wordOf(part) ?? []));
}

test.each([
  ["list_shipments", ["list", "shipment"]],
  ["getHTTPResponse, please", ["http", "respons"]],
  ["chrome-devtools.takeSnapshot", ["chrome", "devtool", "take", "snapshot"]],
  ["検索する", ["検索", "索す", "する"]],
  ["a of the", []],
  ["s3 k8s v2", ["s3", "k8s", "v2"]],
])("%s: names come apart, stop words go, endings come off", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  ["I'd like what's his", []],
  ["don’t", ["dont"]],
  ["the user's files", ["user", "file"]],
  ["to-do, e-mail", ["todo", "email", "mail"]],
])("%s: English endings and hyphens", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test("what one text holds is bounded by its length, also where one character stands for many", () => {
  expect(tokensOf("\uFDFA".repeat(10)).join("").length).toBeLessThanOrEqual(20);
  expect(partsOf("x".repeat(1_000))).toEqual(["x".repeat(48)]);
});

test.each([
  ["shipments", "shipment"],
  ["cancelling", "cancel"],
  ["calculation", "calculator"],
  ["queries", "query"],
  ["searches", "searching"],
  ["converter", "converted"],
])("%s and %s meet", (left, right) => {
  expect(stem(left)).toBe(stem(right));
});

test("generic words are known in their stemmed form", () => {
  expect(wordsOf("creating").every(isGenericWord)).toBe(true);
  expect(isGenericWord("ship")).toBe(false);
});
