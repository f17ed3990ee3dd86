import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatcher } from "./pattern-match.js";
import { compilePattern } from "./pattern-program.js";

const BUDGET = 1_000_000;

function matches(pattern: string, text: string, left = BUDGET): boolean | undefined {
  const outcome = compilePattern(pattern);
  if (outcome.status !== "compiled") throw new Error(`${pattern} is ${outcome.status}`);
  return createMatcher(outcome.program)(text, { left });
}

const PATTERNS = [
  "^a+$",
  "(a+)+$",
  "^(?!undefined$|null$)",
  "^[^@]+@[^@]+\\.[^@]+$",
  "\\bfoo\\b",
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  "^\\p{L}{2,4}$",
  "a{2}",
  "x?y*?z",
  "[\\]\\-a]",
  "{",
  "^.$",
  "\\u{1F600}",
  "\\ud83d\\ude00",
  "(?:)*",
  "(?<name>a|b|)*c",
  "\\x41\\cJ?",
];
const TEXTS = ["", "aaa", "aaaab", "undefined", "null", "nullx", "a@b.c", "foo bar", "afoob", "john.doe@example.com"];
const MORE_TEXTS = ["äöü", "\u{1F600}", "z", "xyz", "]", "-", "{", "bac", "\n", "A\n"];

describe("patterns", () => {
  test.each(PATTERNS)("%s matches what the engine's own matcher matches", (pattern) => {
    const own = new RegExp(pattern, pattern === "{" ? "" : "u");
    for (const text of [...TEXTS, ...MORE_TEXTS])
      expect([text, matches(pattern, text)]).toEqual([text, own.test(text)]);
  });

  test("any pattern of the supported kinds agrees with the engine's own matcher", () => {
    const atom = fc.constantFrom("a", "b", ".", "\\d", "[ab]", "[^a]", "\\w", "\\b", "^", "$", "(?=a)", "(?!b)", "\\s");
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        atom,
        fc.tuple(tie("node"), tie("node")).map((parts) => parts.join("")),
        fc.tuple(tie("node"), tie("node")).map((parts) => `(?:${parts.join("|")})`),
        fc
          .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{1,2}", "{2}", "*?"))
          .map(([body, quantifier]) => `(?:${body})${quantifier}`),
      ),
    }));
    const text = fc.array(fc.constantFrom("a", "b", "1", " ", "_"), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(node, text, (pattern, subject) => {
        expect(matches(pattern, subject)).toBe(new RegExp(pattern, "u").test(subject));
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });

  test("a pattern that runs for hours in the engine costs steps times characters", () => {
    expect(matches("(a+)+$", `${"a".repeat(5_000)}b`)).toBe(false);
    expect(matches("^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(5_000))).toBe(false);
  });

  test("one matcher reads text after text, and more characters and states than it keeps", () => {
    const letters = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    for (const pattern of ["^\\p{L}+$", "(a|b)*a(a|b){12}$", "b\\b", "^(?!ab)[ab]*$"]) {
      const outcome = compilePattern(pattern);
      if (outcome.status !== "compiled") throw new Error(`${pattern} is ${outcome.status}`);
      const matcher = createMatcher(outcome.program);
      const own = new RegExp(pattern, "u");
      const mixed = fc.sample(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 0, maxLength: 60 }), {
        seed: 3,
        numRuns: 500,
      });
      for (const text of [...mixed, letters, `${letters}!`, letters]) {
        expect([pattern, text, matcher(text, { left: BUDGET })]).toEqual([pattern, text, own.test(text)]);
      }
    }
  });

  test("the budget ends a match", () => {
    expect(matches("(a|b|ab)*c", "ab".repeat(10_000), 500)).toBeUndefined();
    expect(matches("(a|b|ab)*c", "ab".repeat(10_000), 10)).toBeUndefined();
    expect(matches("(?!.*b)c", "a".repeat(10_000), 2_000)).toBeUndefined();
  });

  test.each([
    ["[a-z", { status: "invalid" }],
    ["(a)\\1", { status: "unsupported", reason: "refers back to a group" }],
    ["(?<x>a)\\k<x>", { status: "unsupported", reason: "refers back to a group" }],
    ["(?<=a)b", { status: "unsupported", reason: "looks behind" }],
    ["(?<!a)b", { status: "unsupported", reason: "looks behind" }],
    ["(?=(?=(?=a){1000}){1000}){1000}", { status: "unsupported", reason: "needs more than 10000 steps" }],
    ["(".repeat(65) + ")".repeat(65), { status: "unsupported", reason: "nests groups deeper than 64" }],
    ["a".repeat(4_001), { status: "unsupported", reason: "is longer than 4000 characters" }],
  ])("%s is not run", (pattern, outcome) => {
    expect(compilePattern(pattern)).toEqual(outcome);
  });
});
