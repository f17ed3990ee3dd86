import type { Budget } from "./pattern-automaton.js";
import type { PatternMatcher } from "./pattern-match.js";
import { prepareNode, type PreparedNode } from "./prepared-node.js";
import type { References } from "./references.js";
import type { Schema, SchemaNode } from "./schema-node.js";
import { quote, shorten } from "./text.js";

/** A schema document ready for validation. */
export interface PreparedSchema {
  readonly root: Schema;
  readonly references: References;
  /** Every pattern in the document that can be matched. */
  readonly patterns: ReadonlyMap<string, PatternMatcher>;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occurs, so that what was looked at must be kept. */
  readonly tracksEvaluated: boolean;
  /** A node's keywords, read at the first time. */
  prepared(node: SchemaNode): PreparedNode;
}

/** Completes a document with the memory of its prepared nodes. */
export function prepareSchema(document: Omit<PreparedSchema, "prepared">): PreparedSchema {
  const nodes = new Map<SchemaNode, PreparedNode>();
  return {
    ...document,
    prepared(node) {
      const known = nodes.get(node);
      if (known !== undefined) return known;
      const prepared = prepareNode(node);
      nodes.set(node, prepared);
      return prepared;
    },
  };
}

/** Keys and items of one value that some schema has spoken of. */
export interface Evaluated {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** Where a check stands in the value: a key inside an outer place. */
export interface ValuePlace {
  readonly outer: ValuePlace | undefined;
  readonly key: string | number;
  /** Whether the key is the schema's own; any other is part of the value. */
  readonly isNamed: boolean;
  /** Checks around this one. */
  readonly depth: number;
  readonly evaluated: Evaluated | undefined;
}

export const START: ValuePlace = { outer: undefined, key: "", isNamed: true, depth: 0, evaluated: undefined };

export interface Problem {
  /** JSON pointer. */
  readonly path: string;
  readonly text: string;
  /** The value is of another kind altogether. */
  readonly isKind: boolean;
}

/** State of one validation. */
export interface ValidationRun {
  readonly schema: PreparedSchema;
  readonly budget: Budget;
  readonly showsKeys: boolean;
  /** Where problems go; replaced while alternatives are tried. */
  problems: Problem[];
  isTooDeep: boolean;
  /** Whether the value satisfies a schema; the checks of objects and arrays come back through it. */
  check(schema: unknown, value: unknown, place: ValuePlace): boolean;
}

const MAX_PROBLEMS = 8;

/** Records a problem and is false, the outcome of the check that found it. */
export function refuse(run: ValidationRun, place: ValuePlace, text: string, isKind = false): false {
  if (run.problems.length >= MAX_PROBLEMS) return false;
  // The path costs the more, the deeper the place is.
  if (spend(run, 3 * place.depth)) run.problems.push({ path: pathOf(run, place), text, isKind });
  return false;
}

/** Takes work from the budget; false when none is left, which ends the whole validation. */
export function spend(run: ValidationRun, work: number): boolean {
  run.budget.left -= work;
  return run.budget.left >= 0;
}

/** A check whose problems are handed back. */
export function collecting(
  run: ValidationRun,
  check: () => boolean,
): { readonly isValid: boolean; readonly problems: readonly Problem[] } {
  const outer = run.problems;
  const problems: Problem[] = [];
  run.problems = problems;
  const isValid = check();
  run.problems = outer;
  return { isValid, problems };
}

/** A check without a trace: its problems are thrown away. */
export function quietly(run: ValidationRun, check: () => boolean): boolean {
  return collecting(run, check).isValid;
}

/** The place of a property or item. */
export function inside(place: ValuePlace, key: string | number, isNamed: boolean): ValuePlace {
  return { outer: place, key, isNamed, depth: place.depth + 1, evaluated: undefined };
}

/** JSON pointer of a place; keys of the value that the schema does not name may be hidden. */
export function pathOf(run: ValidationRun, place: ValuePlace): string {
  const keys: string[] = [];
  for (let current = place; current.outer !== undefined; current = current.outer) {
    const isShown = current.isNamed || run.showsKeys;
    keys.push(isShown ? shorten(String(current.key), 64).replaceAll("~", "~0").replaceAll("/", "~1") : "*");
  }
  return keys
    .reverse()
    .map((key) => `/${key}`)
    .join("");
}

/** Text of the schema inside a problem: quoted, on one line, bounded. */
export function shown(text: string): string {
  return quote(shorten(text, 80));
}
