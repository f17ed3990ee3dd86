import fc from "fast-check";
import { expect, test } from "vitest";
import { asCell, createLibraryCells, onHost } from "./library-cells.js";

const { valueOf } = createLibraryCells();

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", maxLength: 2 }),
    fc.constantFrom("\ud800", "\udc00", "\ufeff", "\u0000", "é", "漢"),
  ),
  maxLength: 12,
});
const anyBytes = fc.array(
  fc.oneof(
    fc.nat(255),
    fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xa9, 0xe2, 0x82, 0xed, 0xa0, 0xf0, 0x9f, 0xf4, 0xff),
  ),
  { maxLength: 12 },
);

test("GUEST-03: any text encodes to the bytes the host gives, and comes back, lone surrogates as U+FFFD", async () => {
  const texts = fc.sample(anyText, { seed: 1, numRuns: 1_000 });
  const guest = await valueOf(
    asCell(
      `const encoder = new TextEncoder();
     return input.map((text) => {
       const bytes = encoder.encode(text);
       return [[...bytes], new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) === text.toWellFormed()];
     });`,
      texts,
    ),
  );
  expect(guest).toEqual(texts.map((text) => [[...new TextEncoder().encode(text)], true]));
});

test("GUEST-03: encodeInto writes what fits, as on the host", async () => {
  const cases = fc.sample(fc.tuple(anyText, fc.nat(14)), { seed: 2, numRuns: 500 });
  const body = `
    return input.map(([text, size]) => {
      const target = new Uint8Array(size);
      const { read, written } = new TextEncoder().encodeInto(text, target);
      return [read, written, [...target]];
    });`;
  expect(await valueOf(asCell(body, cases))).toEqual(onHost(body, cases));
});

test.each(["utf-8", "utf-16le", "utf-16be"])(
  "GUEST-03: any bytes decode as on the host, whole and in parts: %s",
  async (label) => {
    const cases = fc.sample(fc.tuple(anyBytes, fc.nat(6), fc.nat(6)), { seed: 4, numRuns: 1_000 });
    const body = `
      return input.map(([bytes, first, second]) => {
        const whole = new Uint8Array(bytes);
        const results = [];
        for (const options of [{}, { fatal: true }, { ignoreBOM: true }]) {
          try {
            results.push(new TextDecoder(${JSON.stringify(label)}, options).decode(whole));
          } catch (error) {
            results.push(error.name);
          }
        }
        const decoder = new TextDecoder(${JSON.stringify(label)});
        results.push(
          decoder.decode(whole.subarray(0, first), { stream: true }) +
            decoder.decode(whole.subarray(first, first + second).buffer.slice(first, first + second), { stream: true }) +
            decoder.decode(whole.subarray(first + second)),
        );
        return [results, decoder.encoding];
      });`;
    expect(await valueOf(asCell(body, cases))).toEqual(onHost(body, cases));
  },
);

test("GUEST-03: atob and btoa are the host's for any text", async () => {
  const texts = fc.sample(
    fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from("aZ09+/= \\n\\t-_é")), maxLength: 9 }),
      fc.string({ unit: "binary" }),
    ),
    { seed: 6, numRuns: 1_000 },
  );
  const body = `
    const attempt = (work) => { try { return work(); } catch (error) { return [error.name, error instanceof DOMException]; } };
    return input.map((text) => [attempt(() => btoa(text)), attempt(() => atob(text))]);`;
  expect(await valueOf(asCell(body, texts))).toEqual(onHost(body, texts));
});

test.each([
  // The host's own decoder has been wrong about these letters.
  ['new TextDecoder("latin1").decode(new Uint8Array([65, 128, 129, 150, 159, 233, 255]))', "A€\u0081–Ÿéÿ"],
  ['new TextDecoder("ascii", { fatal: true }).decode(new Uint8Array([128]))', "€"],
  ['new TextDecoder(" UTF8\\n").encoding', "utf-8"],
  ["new TextDecoder().fatal || new TextDecoder().ignoreBOM", false],
  ["new TextDecoder().decode()", ""],
  ["new TextDecoder().decode(new DataView(new Uint8Array([120, 104, 105]).buffer, 1))", "hi"],
  ["new TextEncoder().encode().length", 0],
  ["new TextEncoder().encoding", "utf-8"],
  ["Object.prototype.toString.call(new TextEncoder()) + TextDecoder.name", "[object TextEncoder]TextDecoder"],
  ['new TextDecoder().decode(new TextEncoder().encode("漢".repeat(100_000))).length', 100_000],
])("GUEST-03: %s", async (expression, value) => {
  expect(await valueOf(`return ${expression};`)).toEqual(value);
});

test.each([
  [
    'new TextDecoder("shift_jis")',
    'RangeError: The encoding "shift_jis" is not known here: utf-8, utf-16le, utf-16be and windows-1252 are.',
  ],
  [
    'new TextDecoder("utf-8 latin1")',
    'RangeError: The encoding "utf-8 latin1" is not known here: utf-8, utf-16le, utf-16be and windows-1252 are.',
  ],
  ["new TextDecoder().decode([1])", "TypeError: decode takes an ArrayBuffer or a view on one."],
  ["new TextEncoder().encodeInto('a', [])", "TypeError: encodeInto takes a text and a Uint8Array."],
  [
    'new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))',
    "TypeError: The encoded data was not valid for encoding utf-8",
  ],
])("GUEST-03: %s is refused", async (expression, message) => {
  expect(await valueOf(`try { ${expression}; } catch (error) { return error.name + ": " + error.message; }`)).toBe(
    message,
  );
});
