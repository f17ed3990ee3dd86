import type { PreparedNode } from "./prepared-node.js";
import { asSchema, isNode } from "./schema-node.js";
import { checkArray, checkUnevaluatedItems } from "./validate-array.js";
import { checkObject, checkUnevaluatedProperties, dependentSchemas } from "./validate-object.js";
import { checkNumber, checkString, checkType, checkValues } from "./validate-scalar.js";
import {
  collecting,
  pathOf,
  quietly,
  refuse,
  spend,
  START,
  type Evaluated,
  type PreparedSchema,
  type Problem,
  type ValidationRun,
  type ValuePlace,
} from "./validation-run.js";

/** Checks inside each other, in place ones included. */
const MAX_DEPTH = 500;

export interface ValidationOptions {
  /** Work, in schema nodes visited, keys and pattern steps, of a third of a microsecond or so each. */
  readonly maxWork: number;
  /** Whether problems may name keys of the value that the schema does not name. */
  readonly showsKeys: boolean;
}

/**
 * Checks a value against a schema within fixed bounds; the problems are sentences without values. Total: keywords that
 * are malformed and references that lead nowhere demand nothing.
 */
export function validate(
  schema: PreparedSchema,
  value: unknown,
  options: ValidationOptions,
): { readonly isValid: boolean; readonly problems: readonly string[]; readonly isTooLarge: boolean } {
  const run: ValidationRun = {
    schema,
    budget: { left: options.maxWork },
    showsKeys: options.showsKeys,
    problems: [],
    isTooDeep: false,
    check: (part, item, place) => check(run, part, item, place),
  };
  const isValid = run.check(schema.root, value, START);
  if (run.budget.left < 0) return { isValid: false, problems: [TOO_LARGE], isTooLarge: true };
  if (run.isTooDeep) return { isValid: false, problems: [TOO_DEEP], isTooLarge: true };
  return { isValid, problems: isValid ? [] : run.problems.map(sentence), isTooLarge: false };
}

/** Keeping what was looked at costs this many times as much as a plain check. */
const TRACKING_WORK = 10;
const TOO_LARGE = "The value is too large to be checked.";
const TOO_DEEP = "The value is nested too deeply to be checked.";

function sentence(problem: Problem): string {
  return `${problem.path === "" ? "The value" : problem.path} ${problem.text}.`;
}

function check(run: ValidationRun, part: unknown, value: unknown, place: ValuePlace): boolean {
  const schema = asSchema(part) ?? true;
  if (schema === true) return true;
  if (schema === false) return refuse(run, place, "must be left out");
  if (!spend(run, run.schema.tracksEvaluated ? TRACKING_WORK : 1)) return false;
  if (place.depth > MAX_DEPTH) {
    run.isTooDeep = true;
    return false;
  }
  const node = run.schema.prepared(schema);
  if (value === null && node.isNullable) return true;
  const evaluated = run.schema.tracksEvaluated ? { keys: new Set<string>(), items: new Set<number>() } : undefined;
  const here: ValuePlace = evaluated === undefined ? place : { ...place, evaluated };
  if (!checkOwn(run, node, value, here) || !checkInPlace(run, node, value, here)) return false;
  if (!checkUnevaluated(run, node, value, here)) return false;
  merge(place.evaluated, evaluated);
  return true;
}

/** What the node itself says of the value. */
function checkOwn(run: ValidationRun, node: PreparedNode, value: unknown, place: ValuePlace): boolean {
  if (node.types !== undefined && !checkType(run, node.types, value, place)) return false;
  for (const allowed of node.values) if (!checkValues(run, allowed, value, place)) return false;
  if (typeof value === "string") return node.string === undefined || checkString(run, node.string, value, place);
  if (typeof value === "number") return node.number === undefined || checkNumber(run, node.number, value, place);
  if (Array.isArray(value)) return node.array === undefined || checkArray(run, node.array, value, place);
  return !isNode(value) || node.object === undefined || checkObject(run, node.object, value, place);
}

/** What other schemas say of the same value: references, branches and conditions. */
function checkInPlace(run: ValidationRun, node: PreparedNode, value: unknown, place: ValuePlace): boolean {
  const deeper: ValuePlace = { ...place, depth: place.depth + 1 };
  for (const reference of node.references) {
    if (!run.check(run.schema.references.resolve(reference), value, deeper)) return false;
  }
  for (const part of node.allOf) if (!run.check(part, value, deeper)) return false;
  if (isNode(value)) {
    for (const part of dependentSchemas(node.object, value)) if (!run.check(part, value, deeper)) return false;
  }
  if (node.anyOf !== undefined && !checkAny(run, node.anyOf, value, deeper)) return false;
  if (node.oneOf !== undefined && !checkOne(run, node.oneOf, value, deeper)) return false;
  if (node.not !== undefined && quietly(run, () => run.check(node.not, value, { ...deeper, evaluated: undefined }))) {
    return run.budget.left >= 0 && refuse(run, place, "must not be what the schema excludes");
  }
  const { condition } = node;
  if (condition === undefined) return true;
  const holds = quietly(run, () => run.check(condition.if, value, deeper));
  return run.check(holds ? condition.then : condition.else, value, deeper);
}

/** At least one; every one is tried where it must be known what they looked at. */
function checkAny(run: ValidationRun, branches: readonly unknown[], value: unknown, place: ValuePlace): boolean {
  const failures: (readonly Problem[])[] = [];
  let isValid = false;
  for (const branch of branches) {
    const outcome = collecting(run, () => run.check(branch, value, place));
    if (!outcome.isValid) failures.push(outcome.problems);
    isValid ||= outcome.isValid;
    if (isValid && place.evaluated === undefined) return true;
  }
  return isValid || refuseBranches(run, failures, place);
}

/** Exactly one. */
function checkOne(run: ValidationRun, branches: readonly unknown[], value: unknown, place: ValuePlace): boolean {
  const failures: (readonly Problem[])[] = [];
  let matching = 0;
  for (const branch of branches) {
    const outcome = collecting(run, () => run.check(branch, value, place));
    if (!outcome.isValid) failures.push(outcome.problems);
    else matching += 1;
    if (matching > 1) return refuse(run, place, "must match exactly one alternative, not several");
  }
  return matching === 1 || refuseBranches(run, failures, place);
}

/** Where only one branch is for this kind of value, its problems are the useful ones. */
function refuseBranches(run: ValidationRun, failures: readonly (readonly Problem[])[], place: ValuePlace): false {
  const here = pathOf(run, place);
  const close = failures.filter((problems) => !problems.some((problem) => problem.isKind && problem.path === here));
  const [only] = close;
  if (close.length !== 1 || only === undefined || only.length === 0) {
    return refuse(run, place, `must match one of ${failures.length} alternatives`, close.length === 0);
  }
  run.problems.push(...only);
  return false;
}

function checkUnevaluated(run: ValidationRun, node: PreparedNode, value: unknown, place: ValuePlace): boolean {
  const { unevaluatedItems, unevaluatedProperties } = node;
  if (Array.isArray(value)) {
    return unevaluatedItems === undefined || checkUnevaluatedItems(run, unevaluatedItems, value, place);
  }
  if (!isNode(value) || unevaluatedProperties === undefined) return true;
  return checkUnevaluatedProperties(run, unevaluatedProperties, value, place);
}

function merge(into: Evaluated | undefined, from: Evaluated | undefined): void {
  if (into === undefined || from === undefined) return;
  for (const key of from.keys) into.keys.add(key);
  for (const item of from.items) into.items.add(item);
}
