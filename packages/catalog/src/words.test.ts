import { expect, test } from "vitest";
import { isGenericWord, stem, wordsOf } from "./words.js";

test("names come apart, stop words go, endings come off", () => {
  expect(wordsOf("list_shipments")).toEqual(["list", "ship"]);
  expect(wordsOf("getHTTPResponse, please")).toEqual(["http", "respons"]);
  expect(wordsOf("chrome-devtools.takeSnapshot")).toEqual(["chrom", "devtool", "tak", "snapshot"]);
  expect(wordsOf("検索する")).toEqual(["検索", "索す", "する"]);
  expect(wordsOf("a of the")).toEqual([]);
});

test("the words of one text are bounded, also where one character stands for many", () => {
  expect(wordsOf("ab ".repeat(1_000_000))).toHaveLength(1_333);
  expect(wordsOf("\uFDFA".repeat(10)).join("").length).toBeLessThanOrEqual(20);
});

test.each([
  ["shipments", "shipping"],
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
