import { CodeModeError } from "@codemode/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { boundJson, boundJsonText, toJsonValue } from "./bounded-json.js";
import { encodeJson } from "./encode-json.js";
import { toJsonText } from "./json-text.js";
import { markerFor, type TruncationMarker } from "./truncation-marker.js";

fc.configureGlobal({ seed: 2 });

const bytesOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));

/** Values whose JSON is mostly escapes, quotes or wide characters. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 60 }),
  fc.array(fc.constantFrom('"\\"\u0001', "漢字😀", "plain text"), { maxLength: 200 }),
);

function assertExact(value: unknown, marker: TruncationMarker, maxBytes: number): void {
  const original = toJsonText(value);
  expect(Object.keys(marker)).toEqual(["truncated", "omittedBytes", "guidance", "prefix"]);
  expect(bytesOf(marker)).toBeLessThanOrEqual(maxBytes);
  expect(original.startsWith(marker.prefix)).toBe(true);
  expect(marker.prefix).toBe(Buffer.from(marker.prefix).toString());
  expect(marker.omittedBytes).toBe(bytesOf(original) - bytesOf(marker.prefix));
}

test("LIM-04: a bounded value is complete, or a marker with exact counts inside the budget", () => {
  fc.assert(
    fc.property(anyValue, fc.integer({ min: 80, max: 2000 }), (value, maxBytes) => {
      const bounded = boundJson(value, maxBytes);
      const bytes = bytesOf(toJsonText(value));
      expect(bounded.bytes).toBe(bytes);
      expect(bounded.isComplete).toBe(bytes <= maxBytes);
      expect(boundJsonText(value, maxBytes)).toEqual({
        ...bounded,
        value: undefined,
        text: JSON.stringify(bounded.value),
      });
      if (bounded.isComplete) expect(bounded.value).toEqual(toJsonValue(value));
      else assertExact(value, bounded.value as TruncationMarker, maxBytes);
    }),
  );
});

test("LIM-04: a marker made for a smaller budget still counts from the original", () => {
  fc.assert(
    fc.property(
      anyValue,
      fc.integer({ min: 200, max: 4000 }),
      fc.integer({ min: 80, max: 200 }),
      (value, kept, maxBytes) => {
        assertExact(value, markerFor(encodeJson(value, kept), maxBytes), maxBytes);
      },
    ),
  );
});

test("LIM-04: the prefix uses the budget up to one character and the digits of the count", () => {
  const marker = boundJson({ rows: "x".repeat(100_000) }, 1024).value as TruncationMarker;
  expect(marker).toEqual({
    truncated: true,
    omittedBytes: 100_011 - marker.prefix.length,
    guidance:
      "Too large: only the start is shown. Rerun with narrower arguments: filter, paginate or return fewer fields.",
    prefix: `{"rows":"${"x".repeat(marker.prefix.length - 9)}`,
  });
  expect(bytesOf(marker)).toBeGreaterThan(1024 - 4);
});

test("LIM-04: a cut never splits a character of the original", () => {
  for (let maxBytes = 300; maxBytes < 320; maxBytes++) {
    const marker = boundJson("😀".repeat(1000), maxBytes).value as TruncationMarker;
    expect(marker.prefix).toMatch(/^"(😀)*$/u);
  }
});

test("LIM-04: an encoding keeps at most its budget and counts the rest, also past one piece", () => {
  const value = Array.from({ length: 5000 }, (_item, index) => ({ index, name: `Größe ${index}` }));
  const text = JSON.stringify(value);
  const encoded = encodeJson(value, 50_001);
  expect(encoded).toEqual({ text: text.slice(0, encoded.text.length), bytes: bytesOf(text), isComplete: false });
  expect(bytesOf(encoded.text)).toBeGreaterThanOrEqual(50_000);
  expect(bytesOf(encoded.text)).toBeLessThanOrEqual(50_001);
  expect(encodeJson(value, bytesOf(text))).toEqual({ text, bytes: bytesOf(text), isComplete: true });
});

test("LIM-04: a value as large as its budget is complete, one byte more is not", () => {
  const value = "é".repeat(200);
  expect(boundJson(value, 402)).toEqual({ value, isComplete: true, bytes: 402 });
  expect(boundJson(value, 401).isComplete).toBe(false);
});

test("LIM-04: a budget that cannot hold a marker is the caller's mistake", () => {
  const attempt = (): unknown => boundJson("x".repeat(100), 20);
  expect(attempt).toThrow(
    new CodeModeError("invalid_argument", "maxBytes: a truncation marker needs at least 63 bytes, got 20", {
      path: "maxBytes",
      problem: "a truncation marker needs at least 63 bytes, got 20",
    }),
  );
});
