import fc from "fast-check";
import { expect, test } from "vitest";
import { createFormatterCache } from "./formatter-cache.js";
import { createHostLibrary } from "./host-library.js";

const library = createHostLibrary();
const surface = { fingerprint: "", tools: [], mcp: [], apiFiles: [] };
const ask = (question: unknown, isSeeded = false): unknown =>
  JSON.parse(library.answer(typeof question === "string" ? question : JSON.stringify(question), { isSeeded, surface }));
const spec = JSON.stringify({ kind: "NumberFormat", locales: ["en"], options: {}, defaults: "formatter" });
const format = { ask: "format", spec, call: "format", inputs: ["n1.5"] };
const REFUSED = { error: { name: "TypeError", message: "The guest library could not be answered." } };

test("a question is answered with a value", () => {
  expect(ask(format)).toEqual({ value: "1.5" });
  expect(ask({ ask: "url", url: "nope" })).toEqual({ value: null });
});

test.each([
  ["", null],
  ["no JSON", "{"],
  ["no object", []],
  ["an unknown question", { ask: "shell" }],
  ["a name of a prototype", { ask: "toString" }],
  ["an unknown kind", { ...format, spec: JSON.stringify({ kind: "constructor", locales: [], options: {} }) }],
  ["an unknown call", { ...format, call: "constructor" }],
  ["a call of another kind", { ...format, call: "segment" }],
  ["inputs that are no list", { ...format, inputs: { length: 1, 0: "n1" } }],
  ["a number without a kind", { ...format, inputs: ["1.5"] }],
  ["a number that is a number", { ...format, inputs: [1.5] }],
  ["a BigInt that is none", { ...format, inputs: ["b1.5"] }],
  ["locales that are no list", { ask: "canonical", locales: "en" }],
  ["too many locales", { ask: "canonical", locales: Array(101).fill("en") }],
  ["options that are objects", { ask: "supported", kind: "NumberFormat", locales: [], options: { a: {} } }],
  ["a part of URL that cannot be set", { ask: "url-part", url: "http://a", part: "origin", value: "b" }],
  ["a part that is a method", { ask: "url-part", url: "http://a", part: "toString", value: "b" }],
  ["random bytes of a wrong count", { ask: "random", bytes: 65_537 }],
  ["random bytes of no count", { ask: "random", bytes: "8" }],
  ["a change of a locale that is none", { ask: "locale", tag: "en", options: {}, change: "constructor" }],
])("SEC-03: %s is refused without a word of the host's", (_name, question) => {
  expect(ask(question === null ? "" : question)).toEqual(REFUSED);
});

test("SEC-03: no question makes the host throw, whatever it is", () => {
  const word = fc.constantFrom("ask", "spec", "call", "inputs", "url", "format", "check", "random", "bytes", "kind");
  const question = fc.oneof(
    fc.string(),
    fc.jsonValue(),
    fc.dictionary(word, fc.oneof(word, fc.jsonValue(), fc.constant(spec))),
    fc.record({ ask: word, spec: fc.oneof(fc.string(), fc.constant(spec)), call: word, inputs: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(question, (value) => {
      const answer = ask(typeof value === "string" ? value : JSON.stringify(value)) as object;
      expect(["value", "error"]).toContain(Object.keys(answer)[0]);
    }),
    { seed: 5, numRuns: 500 },
  );
});

test("errors of Intl keep their class and text, and nothing else", () => {
  const options = { style: "currency" };
  expect(ask({ ask: "check", spec: JSON.stringify({ kind: "NumberFormat", locales: [], options }) })).toEqual({
    error: { name: "TypeError", message: "Currency code is required with currency style." },
  });
});

test("EXEC-14: seeded cells get no random bytes of the host's", () => {
  expect(ask({ ask: "random", bytes: 4 }, true)).toEqual({ value: null });
  const { value } = ask({ ask: "random", bytes: 4 }) as { value: string };
  expect(Buffer.from(value, "base64").length).toBe(4);
});

test("a huge exponent never becomes that many digits", () => {
  for (const number of ["s1e1000000000", "s1E+99999", "s0.1e-1000000000"]) {
    const { value } = ask({ ...format, inputs: [number] }) as { value: string };
    expect(value.length).toBeLessThan(10);
  }
  expect(ask({ ...format, inputs: ["s12345678901234567890.5"] })).toEqual({ value: "12,345,678,901,234,567,890.5" });
});

test("formatters are kept by their spec, the least recently used first out", () => {
  const opened: string[] = [];
  const cache = createFormatterCache((text) => {
    opened.push(text);
    return () => text;
  });
  for (let index = 0; index < 32; index++) cache(`${index}`);
  cache("0");
  cache("new");
  cache("0");
  cache("1");
  expect(opened.slice(32)).toEqual(["new", "1"]);
  const failing = createFormatterCache(() => {
    throw new RangeError("no");
  });
  expect(() => failing("x")).toThrow("no");
});

test("a number as text may have 10,000 characters, and one more is refused", () => {
  const digits = "1".repeat(10_000);
  expect(ask({ ...format, inputs: [`b${digits}`] })).toMatchObject({
    value: expect.stringMatching(/^1,111/) as unknown,
  });
  expect(ask({ ...format, inputs: [`b${digits}1`] })).toEqual({
    error: { name: "RangeError", message: "A text of 10001 characters is too long here: at most 10000." },
  });
});
