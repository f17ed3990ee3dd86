import { canonicalText } from "./json-equal.js";
import type { AllowedValues, NumberRules, StringRules } from "./prepared-node.js";
import { refuse, shown, spend, type ValidationRun, type ValuePlace } from "./validation-run.js";

/** `type`: one name or several. */
export function checkType(run: ValidationRun, names: readonly string[], value: unknown, place: ValuePlace): boolean {
  for (const name of names) if (isOfType(value, name)) return true;
  return refuse(run, place, `must be ${names.map((name) => KIND_NAMES[name] ?? name).join(" or ")}`, true);
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
  array: "an array",
  object: "an object",
};

function isOfType(value: unknown, name: string): boolean {
  switch (name) {
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === name;
  }
}

/** `const` or `enum`. */
export function checkValues(run: ValidationRun, allowed: AllowedValues, value: unknown, place: ValuePlace): boolean {
  // No longer text can be among them.
  const room = { chars: allowed.longest };
  const text = canonicalText(value, room);
  if (!spend(run, 1 + (allowed.longest - room.chars) / 4)) return false;
  if (text !== undefined && allowed.texts.has(text)) return true;
  return refuse(run, place, `${allowed.list.length === 1 ? "must be" : "must be one of"} ${allowed.shown}`);
}

export function checkNumber(run: ValidationRun, rules: NumberRules, value: number, place: ValuePlace): boolean {
  const { above, below, minimum, maximum, multiple } = rules;
  if (above !== undefined && !(value > above)) return refuse(run, place, `must be greater than ${above}`);
  if (below !== undefined && !(value < below)) return refuse(run, place, `must be less than ${below}`);
  if (minimum !== undefined && !(value >= minimum)) return refuse(run, place, `must be at least ${minimum}`);
  if (maximum !== undefined && !(value <= maximum)) return refuse(run, place, `must be at most ${maximum}`);
  if (multiple !== undefined && !isMultiple(value, multiple)) {
    return refuse(run, place, `must be a multiple of ${multiple}`);
  }
  return true;
}

/** Tolerates what binary fractions cannot say: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, multiple: number): boolean {
  const quotient = value / multiple;
  if (!Number.isFinite(quotient)) return value % multiple === 0;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Length, in code points, and pattern of a string. */
export function checkString(run: ValidationRun, rules: StringRules, value: string, place: ValuePlace): boolean {
  const { minLength, maxLength, pattern } = rules;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = lengthBetween(run, value, { minLength: minLength ?? 0, maxLength: maxLength ?? Infinity });
    if (length === undefined) return false;
    if (minLength !== undefined && length < minLength) {
      return refuse(run, place, `must have at least ${counted(minLength, "character")}`);
    }
    if (maxLength !== undefined && length > maxLength) {
      return refuse(run, place, `must have at most ${counted(maxLength, "character")}`);
    }
  }
  if (pattern === undefined || matches(run, pattern, value)) return true;
  return refuse(run, place, `must match the pattern ${shown(pattern)}`);
}

/** Whether a text matches a pattern; one that cannot be matched in bounded time (see `compileSchema`) matches all. */
export function matches(run: ValidationRun, pattern: string, text: string): boolean {
  const matcher = run.schema.patterns.get(pattern);
  return matcher === undefined || (spend(run, 3) && matcher(text, run.budget) === true);
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The length, or one that is on the same side of both bounds. Undefined when the budget is spent. */
function lengthBetween(
  run: ValidationRun,
  text: string,
  { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number },
): number | undefined {
  // A code point is one unit or two, so mostly the units decide.
  const units = text.length;
  const isDecided = (units >= minLength * 2 || units < minLength) && (units <= maxLength || units > maxLength * 2);
  if (isDecided) return units;
  return spend(run, units / 64) ? countCodePoints(text) : undefined;
}

function countCodePoints(text: string): number {
  let pairs = 0;
  for (let position = 0; position + 1 < text.length; position += 1) {
    if ((text.codePointAt(position) ?? 0) > 0xffff) {
      pairs += 1;
      position += 1;
    }
  }
  return text.length - pairs;
}
