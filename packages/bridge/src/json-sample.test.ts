import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleJson } from "./json-sample.js";
import { toJsonText } from "./json-text.js";

function sampleOf(value: unknown, maxBytes = 4_096): unknown {
  const sample = sampleJson(JSON.stringify(value), maxBytes);
  return sample === undefined ? undefined : JSON.parse(sample);
}

test("LIM-12: a sample shows keys, first items and lengths, and the start of texts", () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, tags: ["a", "b", "c"], text: `${id}é`.repeat(100) }));
  expect(sampleOf({ total: 5_000, rows, done: true, note: null, empty: [], none: {} })).toEqual({
    total: 5_000,
    rows: [
      { id: 0, tags: ["a", "… 2 more items"], text: `${"0é".repeat(26)}0… (200 characters)` },
      "… 4999 more items",
    ],
    done: true,
    note: null,
    empty: [],
    none: {},
  });
});

test("LIM-12: what is too deep or too wide is counted", () => {
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
  const sample = sampleOf(wide) as Record<string, unknown>;
  expect([Object.keys(sample).length, sample.k19, sample["…"]]).toEqual([21, 19, "10 more keys"]);
  expect(sampleOf({ a: { b: { c: { d: { e: { f: { g: 1, h: 2 } } } } } } })).toEqual({
    a: { b: { c: { d: { e: { f: "{… 2 keys}" } } } } },
  });
  expect(sampleOf([[[[[[[1, 2, 3]]]]]]])).toEqual([[[[[["[… 3 items]"]]]]]]);
});

test("LIM-12: a sample that does not fit shows less, then nothing", () => {
  const value = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key-${index}`, "x".repeat(500)]));
  expect(Object.keys(sampleOf(value) as object).length).toBe(21);
  expect(Object.keys(sampleOf(value, 1_000) as object).length).toBe(11);
  expect(Object.keys(sampleOf(value, 400) as object).length).toBe(7);
  expect(sampleOf(value, 100)).toBeUndefined();
});

test.each([
  '"text"',
  "12",
  "null",
  "",
  "{",
  '{"a":',
  "[1,2",
  '{"a":"b',
  '["\\"]',
  "[}",
  '{"a" 1}',
  "[1 2]",
  "x".repeat(9),
])("no sample of %j", (text) => {
  expect(sampleJson(text, 4_096)).toBeUndefined();
});

test("own keys stay what they are", () => {
  expect(sampleJson('{"__proto__":[1,{"\\"":2}],"a\\\\":"\\\\\\""}', 4_096)).toBe(
    '{"__proto__":[1,"… 1 more items"],"a\\\\":"\\\\\\""}',
  );
});

test("a sample of any value is JSON inside its budget, and that of a small value is the value's start", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 10, max: 3_000 }), (value, maxBytes) => {
      const sample = sampleJson(toJsonText(value), maxBytes);
      if (sample === undefined) return;
      expect(Buffer.byteLength(sample)).toBeLessThanOrEqual(maxBytes);
      expect(Array.isArray(JSON.parse(sample))).toBe(Array.isArray(value));
    }),
    { seed: 12 },
  );
});

test("hostile texts are read in time linear in their length", () => {
  expect(sampleJson(`[${'"\\"",'.repeat(300_000)}1]`, 4_096)).toBe('["\\"","… 300000 more items"]');
  expect(sampleJson(`[${"[".repeat(1_000_000)}`, 4_096)).toBeUndefined();
});
