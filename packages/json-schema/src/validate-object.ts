import type { ObjectRules } from "./prepared-node.js";
import { hasOwn, readOwn, type SchemaNode } from "./schema-node.js";
import { shorten } from "./text.js";
import { counted, matches } from "./validate-scalar.js";
import { inside, refuse, shown, spend, type ValidationRun, type ValuePlace } from "./validation-run.js";

/** The keywords of objects, but `unevaluatedProperties` and schemas that apply to the object in place. */
export function checkObject(run: ValidationRun, rules: ObjectRules, value: SchemaNode, place: ValuePlace): boolean {
  const keys = Object.keys(value);
  if (!spend(run, keys.length + rules.required.length)) return false;
  const { minProperties, maxProperties } = rules;
  if (minProperties !== undefined && keys.length < minProperties) {
    return refuse(run, place, `must have at least ${counted(minProperties, "key")}`);
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    return refuse(run, place, `must have at most ${counted(maxProperties, "key")}`);
  }
  const hasAll = checkRequired(run, rules, value, place);
  const hasValidNames = checkNames(run, rules, keys, place);
  return checkProperties(run, rules, { value, keys }, place) && hasAll && hasValidNames;
}

/** `required`, and what present keys require. */
function checkRequired(run: ValidationRun, rules: ObjectRules, value: SchemaNode, place: ValuePlace): boolean {
  let hasAll = true;
  const demand = (name: string): void => {
    if (!hasOwn(value, name)) hasAll = refuse(run, place, `must have the property ${shown(name)}`);
  };
  rules.required.forEach(demand);
  for (const { key, required } of rules.dependents) if (hasOwn(value, key)) required.forEach(demand);
  return hasAll;
}

function checkNames(run: ValidationRun, rules: ObjectRules, keys: readonly string[], place: ValuePlace): boolean {
  if (rules.names === undefined) return true;
  let isValid = true;
  for (const key of keys) {
    isValid = run.check(rules.names, key, inside(place, key, false)) && isValid;
    if (run.budget.left < 0) return false;
  }
  return isValid;
}

function checkProperties(
  run: ValidationRun,
  rules: ObjectRules,
  object: { readonly value: SchemaNode; readonly keys: readonly string[] },
  place: ValuePlace,
): boolean {
  let isValid = true;
  for (const key of object.keys) {
    const isNamed = rules.properties.has(key);
    const schemas = schemasFor(run, rules, key);
    if (run.budget.left < 0) return false;
    if (schemas.length === 0) continue;
    place.evaluated?.keys.add(key);
    for (const schema of schemas) {
      if (schema === false && !isNamed) isValid = refuseKey(run, { key, rules }, place);
      else isValid = run.check(schema, readOwn(object.value, key), inside(place, key, isNamed)) && isValid;
      if (run.budget.left < 0) return false;
    }
  }
  return isValid;
}

/** Schemas for one key: by name and by pattern, else the one for all others. */
function schemasFor(run: ValidationRun, rules: ObjectRules, key: string): readonly unknown[] {
  const schemas = rules.properties.has(key) ? [rules.properties.get(key)] : [];
  for (const { pattern, schema } of rules.patterns) if (matches(run, pattern, key)) schemas.push(schema);
  if (schemas.length === 0 && rules.others !== undefined) schemas.push(rules.others);
  return schemas;
}

function refuseKey(
  run: ValidationRun,
  refused: { readonly key: string; readonly rules: ObjectRules | undefined },
  place: ValuePlace,
): false {
  const known = shorten([...(refused.rules?.properties.keys() ?? [])].slice(0, 40).join(", "), 200);
  const what = run.showsKeys ? `the property ${shown(refused.key)}` : "any other property";
  return refuse(run, place, `must not have ${what}${known === "" ? "" : ` (known: ${known})`}`);
}

/** Every key that no schema has spoken of. */
export function checkUnevaluatedProperties(
  run: ValidationRun,
  schema: unknown,
  value: SchemaNode,
  place: ValuePlace,
): boolean {
  let isValid = true;
  for (const key of Object.keys(value)) {
    if (place.evaluated?.keys.has(key) === true) continue;
    place.evaluated?.keys.add(key);
    if (schema === false) isValid = refuseKey(run, { key, rules: undefined }, place);
    else isValid = run.check(schema, readOwn(value, key), inside(place, key, false)) && isValid;
    if (run.budget.left < 0) return false;
  }
  return isValid;
}

/** Schemas that present keys apply to the whole object. */
export function dependentSchemas(rules: ObjectRules | undefined, value: SchemaNode): readonly unknown[] {
  if (rules === undefined || rules.dependents.length === 0) return [];
  return rules.dependents
    .filter(({ key, schema }) => schema !== undefined && hasOwn(value, key))
    .map(({ schema }) => schema);
}
