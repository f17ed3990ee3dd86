import fc from "fast-check";
import { expect, test } from "vitest";
import { cutUtf8, utf8Bytes } from "./byte-length.js";

fc.configureGlobal({ seed: 1 });

/** Any UTF-16 units, lone surrogates too, with runs long enough to cross measuring pieces now and then. */
const anyText = fc
  .tuple(fc.array(fc.constantFrom("a", "é", "漢", "😀", "\ud83d", "\ude00", "\u0000", "\uffff")), fc.nat(3000))
  .map(([units, times]) => units.join("").repeat(1 + (times % 7 === 0 ? times : 0)));

test("LIM-04: the UTF-8 size of any text is that of its well-formed bytes", () => {
  fc.assert(fc.property(anyText, (text) => utf8Bytes(text) === Buffer.byteLength(text)));
});

test("LIM-04: a cut is the longest prefix in the budget that does not split a code point", () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, maxBytes) => {
      const cut = cutUtf8(text, maxBytes);
      const next = String.fromCodePoint(text.codePointAt(cut.length) ?? 0);
      expect(text.startsWith(cut)).toBe(true);
      expect(utf8Bytes(cut)).toBeLessThanOrEqual(maxBytes);
      if (cut.length < text.length) expect(utf8Bytes(cut) + utf8Bytes(next)).toBeGreaterThan(maxBytes);
    }),
  );
});

test("LIM-04: sizes and cuts are exact where measuring pieces meet", () => {
  for (const lead of [8190, 8191, 8192, 8193]) {
    const text = `${"a".repeat(lead)}😀${"漢".repeat(10)}`;
    expect(utf8Bytes(text)).toBe(lead + 4 + 30);
    expect(cutUtf8(text, lead + 3)).toBe("a".repeat(lead));
    expect(cutUtf8(text, lead + 4)).toBe(`${"a".repeat(lead)}😀`);
    expect(cutUtf8(text, lead + 9)).toBe(`${"a".repeat(lead)}😀漢`);
  }
});

test("LIM-04: an empty or negative budget leaves nothing", () => {
  expect(cutUtf8("abc", 0)).toBe("");
  expect(cutUtf8("abc", -5)).toBe("");
  expect(cutUtf8("", 0)).toBe("");
});

test("LIM-04: sizes of large texts are the engine's own count, and cuts read no more than they keep", () => {
  const huge = "é".repeat(50_000_000);
  const startedAt = performance.now();
  for (let round = 0; round < 5; round += 1) expect(utf8Bytes(huge)).toBe(100_000_000);
  for (let round = 0; round < 100; round += 1) expect(cutUtf8(huge, 65_537).length).toBe(32_768);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
