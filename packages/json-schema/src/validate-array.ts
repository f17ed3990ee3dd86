import { canonicalText } from "./json-equal.js";
import type { ArrayRules } from "./prepared-node.js";
import { counted } from "./validate-scalar.js";
import { inside, quietly, refuse, spend, type ValidationRun, type ValuePlace } from "./validation-run.js";

type List = readonly unknown[];

/** The keywords of arrays, but `unevaluatedItems`. */
export function checkArray(run: ValidationRun, rules: ArrayRules, value: List, place: ValuePlace): boolean {
  const { minItems, maxItems, isUnique } = rules;
  if (minItems !== undefined && value.length < minItems) {
    return refuse(run, place, `must have at least ${counted(minItems, "item")}`);
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return refuse(run, place, `must have at most ${counted(maxItems, "item")}`);
  }
  if (isUnique && !checkUnique(run, value, place)) return false;
  return checkItems(run, rules, value, place) && checkContains(run, rules, value, place);
}

/** Characters of an item's text that cost one unit of work. */
const CHARS_PER_UNIT = 3;

function checkUnique(run: ValidationRun, value: List, place: ValuePlace): boolean {
  const seen = new Set<string>();
  for (const item of value) {
    const allowed = run.budget.left * CHARS_PER_UNIT;
    const room = { chars: allowed };
    const text = canonicalText(item, room);
    if (!spend(run, 1 + (allowed - room.chars) / CHARS_PER_UNIT)) return false;
    if (text === undefined || seen.has(text)) return refuse(run, place, "must not have equal items");
    seen.add(text);
  }
  return true;
}

function checkItems(run: ValidationRun, rules: ArrayRules, value: List, place: ValuePlace): boolean {
  const { prefix, others } = rules;
  let isValid = true;
  for (let position = 0; position < value.length; position += 1) {
    const schema = position < prefix.length ? prefix[position] : others;
    if (schema === undefined) break;
    place.evaluated?.items.add(position);
    isValid = run.check(schema, value[position], inside(place, position, true)) && isValid;
    if (run.budget.left < 0) return false;
  }
  return isValid;
}

function checkContains(run: ValidationRun, rules: ArrayRules, value: List, place: ValuePlace): boolean {
  const { contains } = rules;
  if (contains === undefined) return true;
  let count = 0;
  for (const [position, item] of value.entries()) {
    if (run.budget.left < 0) return false;
    if (!quietly(run, () => run.check(contains.schema, item, inside(place, position, true)))) continue;
    place.evaluated?.items.add(position);
    count += 1;
  }
  const { least, most } = contains;
  if (count < least) return refuse(run, place, `must contain at least ${counted(least, "matching item")}`);
  return count <= most || refuse(run, place, `must contain at most ${counted(most, "matching item")}`);
}

/** Every item that no schema has spoken of. */
export function checkUnevaluatedItems(run: ValidationRun, schema: unknown, value: List, place: ValuePlace): boolean {
  let isValid = true;
  for (const [position, item] of value.entries()) {
    if (place.evaluated?.items.has(position) === true) continue;
    place.evaluated?.items.add(position);
    isValid = run.check(schema, item, inside(place, position, true)) && isValid;
    if (run.budget.left < 0) return false;
  }
  return isValid;
}
