import { expect, test } from "vitest";
import { segmentStarts } from "./text-segments.js";

const segmenter = (granularity: "grapheme" | "word" | "sentence"): Intl.Segmenter =>
  new Intl.Segmenter("en", { granularity });

test("LIM-02: a long text is segmented in pieces that end where a segment ends", () => {
  const text = "Some words, and a number 3.14.\r\nAnother line: “quoted” text. ".repeat(1_000);
  const words = Array.from(segmenter("word").segment(text.slice(0, 2_000)), ({ index, isWordLike }) => [
    index,
    isWordLike,
  ]);
  expect(segmentStarts(segmenter("word"), text).slice(0, words.length - 1)).toEqual(words.slice(0, -1));
  expect(segmentStarts(segmenter("sentence"), text).length).toBe(2_000);
});

test("LIM-02: a text that cannot be cut is refused when it is long", () => {
  expect(segmentStarts(segmenter("grapheme"), "漢".repeat(2_000)).length).toBe(2_000);
  expect(() => segmentStarts(segmenter("grapheme"), "漢".repeat(3_000))).toThrow(
    new RangeError("The text is too long to be segmented: 3000 characters."),
  );
  expect(segmentStarts(segmenter("grapheme"), "")).toEqual([]);
});
