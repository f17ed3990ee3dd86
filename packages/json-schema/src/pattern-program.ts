import { parsePattern, UnsupportedPattern, type Assertion, type PatternNode } from "./pattern-parse.js";

/** One step of a compiled pattern. Addresses are positions in the program. */
export type PatternStep =
  | { readonly op: "character"; matches(character: string): boolean }
  | { readonly op: "split"; readonly to: number[] }
  | { readonly op: "assert"; readonly assertion: Assertion }
  | { readonly op: "ahead"; readonly program: PatternProgram; readonly isNegated: boolean }
  | { readonly op: "match" };

export interface PatternProgram {
  readonly steps: readonly PatternStep[];
  /** Whether a character is a code point, as under the `u` flag, or a UTF-16 unit. */
  readonly isUnicode: boolean;
}

export type PatternOutcome =
  | { readonly status: "compiled"; readonly program: PatternProgram }
  /** Valid, but it cannot be matched in linear time or is too large. `reason` completes "the pattern …". */
  | { readonly status: "unsupported"; readonly reason: string }
  | { readonly status: "invalid" };

const MAX_PATTERN_CHARS = 4_000;
const MAX_STEPS = 10_000;

/**
 * Compiles a JavaScript regular expression to a program that `createMatcher` runs in time linear in the text.
 *
 * Untrusted: the engine's own matcher, which can run for hours, only ever sees one character. Back references and
 * look-behind are `unsupported`. What is no valid expression, with or without the `u` flag, is `invalid`.
 */
export function compilePattern(source: string): PatternOutcome {
  if (source.length > MAX_PATTERN_CHARS) {
    return { status: "unsupported", reason: `is longer than ${MAX_PATTERN_CHARS} characters` };
  }
  const isUnicode = isExpression(source, "u");
  if (!isUnicode && !isExpression(source, "")) return { status: "invalid" };
  try {
    return { status: "compiled", program: programOf(parsePattern(source, isUnicode), isUnicode) };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { status: "unsupported", reason: error.message };
    throw error;
  }
}

function isExpression(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A program being written; look-aheads are programs inside it and count towards the same total. */
interface Draft {
  readonly steps: PatternStep[];
  readonly isUnicode: boolean;
  readonly total: { steps: number };
}

function programOf(node: PatternNode, isUnicode: boolean, total = { steps: 0 }): PatternProgram {
  const draft: Draft = { steps: [], isUnicode, total };
  emit(draft, node);
  push(draft, { op: "match" });
  return { steps: draft.steps, isUnicode };
}

function emit(draft: Draft, node: PatternNode): void {
  switch (node.kind) {
    case "character":
      push(draft, { op: "character", matches: node.matches });
      return;
    case "assert":
      push(draft, { op: "assert", assertion: node.assertion });
      return;
    case "ahead": {
      const program = programOf(node.body, draft.isUnicode, draft.total);
      push(draft, { op: "ahead", program, isNegated: node.isNegated });
      return;
    }
    case "sequence":
      for (const part of node.parts) emit(draft, part);
      return;
    case "choice":
      emitChoice(draft, node.parts);
      return;
    case "repeat":
      emitRepeat(draft, node);
      return;
  }
}

function emitChoice(draft: Draft, options: readonly PatternNode[]): void {
  const entry = split(draft);
  const exits: number[][] = [];
  for (const option of options) {
    entry.push(draft.steps.length);
    emit(draft, option);
    exits.push(split(draft));
  }
  for (const exit of exits) exit.push(draft.steps.length);
}

function emitRepeat(
  draft: Draft,
  node: { readonly body: PatternNode; readonly min: number; readonly max: number },
): void {
  const { steps } = draft;
  for (let count = 0; count < node.min; count += 1) {
    const before = steps.length;
    emit(draft, node.body);
    if (steps.length === before) return;
  }
  if (node.max === Infinity) {
    const start = steps.length;
    const entry = split(draft);
    entry.push(steps.length);
    emit(draft, node.body);
    split(draft).push(start);
    entry.push(steps.length);
    return;
  }
  const skips: number[][] = [];
  for (let count = node.min; count < node.max; count += 1) {
    const skip = split(draft);
    skip.push(steps.length);
    skips.push(skip);
    emit(draft, node.body);
  }
  for (const skip of skips) skip.push(steps.length);
}

/** Adds a split and returns its targets, to be filled in. */
function split(draft: Draft): number[] {
  const to: number[] = [];
  push(draft, { op: "split", to });
  return to;
}

function push(draft: Draft, step: PatternStep): void {
  draft.total.steps += 1;
  if (draft.total.steps > MAX_STEPS) throw new UnsupportedPattern(`needs more than ${MAX_STEPS} steps`);
  draft.steps.push(step);
}
