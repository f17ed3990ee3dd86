import type { Assertion } from "./pattern-parse.js";
import type { PatternProgram } from "./pattern-program.js";

/** Work that may still be spent; shared by everything one check does. */
export interface Budget {
  left: number;
}

/**
 * Whether the pattern matches somewhere in the text. Follows all ways through the pattern at once, so the work is at
 * most steps times characters. Undefined when the budget runs out first.
 */
export function matchesPattern(program: PatternProgram, text: string, budget: Budget): boolean | undefined {
  const characters = program.isUnicode ? Array.from(text) : text.split("");
  return run(program, { characters, budget }, undefined);
}

interface Subject {
  readonly characters: readonly string[];
  readonly budget: Budget;
}

/** Runs from one position, or from every position when there is none. */
function run(program: PatternProgram, subject: Subject, from: number | undefined): boolean | undefined {
  let threads: number[] = [];
  const { characters, budget } = subject;
  for (let position = from ?? 0; position <= characters.length; position += 1) {
    const starts = from === undefined || position === from ? [...threads, 0] : threads;
    const reached = follow(program, subject, { starts, position });
    if (reached === undefined || budget.left < 0) return undefined;
    if (reached.hasMatched) return true;
    if (reached.waiting.length === 0 && from !== undefined) return false;
    const character = characters[position];
    if (character === undefined) return false;
    threads = [];
    for (const address of reached.waiting) {
      const step = program.steps[address];
      if (step?.op === "character" && step.matches(character)) threads.push(address + 1);
    }
  }
  return false;
}

/** All character steps that can be reached without consuming a character. Undefined when the budget is spent. */
function follow(
  program: PatternProgram,
  subject: Subject,
  at: { readonly starts: readonly number[]; readonly position: number },
): { readonly waiting: readonly number[]; readonly hasMatched: boolean } | undefined {
  const visited = new Set<number>();
  const waiting: number[] = [];
  const stack = [...at.starts];
  for (let address = stack.pop(); address !== undefined; address = stack.pop()) {
    if (visited.has(address)) continue;
    visited.add(address);
    subject.budget.left -= 1;
    if (subject.budget.left < 0) return undefined;
    const step = program.steps[address];
    if (step === undefined) continue;
    switch (step.op) {
      case "match":
        return { waiting, hasMatched: true };
      case "character":
        waiting.push(address);
        break;
      case "split":
        stack.push(...step.to);
        break;
      case "assert":
        if (holds(step.assertion, subject.characters, at.position)) stack.push(address + 1);
        break;
      case "ahead": {
        const isAhead = run(step.program, subject, at.position);
        if (isAhead === undefined) return undefined;
        if (isAhead !== step.isNegated) stack.push(address + 1);
        break;
      }
    }
  }
  return { waiting, hasMatched: false };
}

function holds(assertion: Assertion, characters: readonly string[], position: number): boolean {
  switch (assertion) {
    case "start":
      return position === 0;
    case "end":
      return position === characters.length;
    case "boundary":
      return isWord(characters[position - 1]) !== isWord(characters[position]);
    case "no-boundary":
      return isWord(characters[position - 1]) === isWord(characters[position]);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}
