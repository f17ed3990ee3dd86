import fc from "fast-check";
import { expect, test } from "vitest";
import type { PreparedSource } from "@codemode/protocol";
import { prepareSource, resolvePosition, SourceError } from "../src/index.js";

const WORDS = (
  "import export default async function main ( ) { } [ ] => ; , : . ?. ? = == + - * / ! < > ... ` ${ ' \" \\ // /* */ " +
  "return await yield require ls -la const let var class extends x a.b 1 enum type interface namespace as satisfies @d " +
  "#p in of for if else try catch new this super static get switch case while do break label: ``` ~~~ \\u0061 1n /re/g " +
  "<!-- --> using accessor declare abstract public readonly é 😀 \ud800 \u2028 \ufeff \r \n"
)
  .split(" ")
  .concat(" ", "export default ", "import(", "import.meta");

const programs = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(" ")),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join("")),
);

/** Checks what must hold of every prepared source. */
function expectConsistent(prepared: PreparedSource, source: string): void {
  expect(prepared.submitted).toBe(source);
  const inserted = prepared.insertions.reduce((sum, { length }) => sum + length, 0);
  if (prepared.language === "javascript") expect(prepared.code.length - inserted).toBe(source.length);
  const lines = source.split(/\r\n|\r|\n/);
  prepared.code.split("\n").forEach((text, index) => {
    const columnBytes = new TextEncoder().encode(text).length;
    const location = resolvePosition(prepared, { line: index + 1, columnBytes });
    if (location === undefined) return;
    expect(location.line).toBeLessThanOrEqual(lines.length);
    expect(location.column).toBeLessThanOrEqual((lines[location.line - 1]?.length ?? 0) + 1);
  });
}

test.each([
  ["javascript", 1_500],
  ["typescript", 300],
] as const)(
  "any text as %s ends prepared or refused",
  async (language, numRuns) => {
    const property = fc.asyncProperty(programs, async (source) => {
      try {
        expectConsistent(await prepareSource(source, { language }), source);
      } catch (error) {
        if (!SourceError.isInstance(error)) throw error;
        expect(error.message).not.toBe("");
      }
    });
    await fc.assert(property, { numRuns, seed: 20_260 });
  },
  60_000,
);
