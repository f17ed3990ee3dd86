import { createReferences, type References } from "./references.js";
import { asSchema, hasOwn, isNode, readList, readNode, readOwn, readString, type SchemaNode } from "./schema-node.js";
import type { Budget } from "./pattern-automaton.js";
import { preparationWork, prepareNode, type PreparedNode } from "./prepared-node.js";
import { validate } from "./validate.js";
import { prepareSchema, type PreparedSchema } from "./validation-run.js";

/** Object layers into which defaults are looked for. */
const MAX_DEPTH = 16;
/** Nodes in a row that may stand for one object: references and the parts of `allOf`. */
const MAX_PARTS = 32;
/** Work of one call, in properties, parts and values looked at; what comes later keeps no defaults. About 20 ms. */
const MAX_WORK = 32_000;
const MAX_COPY_DEPTH = 32;
/** Values in which `$id` and `$anchor` are looked for. */
const MAX_INDEXED_VALUES = 4_000;
/** Keys of the value that are listed for one unit of work. */
const KEYS_PER_WORK = 4;

/**
 * The value with the schema's property defaults filled in, at the top and in objects that are there already. A
 * property that is missing or `undefined` gets its default; a default that its own schema refuses is left out.
 *
 * Untrusted: takes any schema, never throws, never changes schema or value, and the result shares nothing with the
 * schema. What is no object comes back as it is.
 */
export function applyDefaults(schema: unknown, value: unknown): unknown {
  const budget: Budget = { left: MAX_WORK };
  const references = createReferences(schema, MAX_INDEXED_VALUES);
  const document = { root: true, references, patterns: new Map(), tracksEvaluated: false };
  const prepare = (node: SchemaNode): PreparedNode => {
    budget.left -= preparationWork(node, budget.left);
    return prepareNode(budget.left < 0 ? {} : node);
  };
  return fill({ references, budget, schema: prepareSchema(document, prepare) }, schema, { value, depth: 0 });
}

/** State of one call. */
interface Filling {
  readonly references: References;
  readonly budget: Budget;
  /** Memory of prepared nodes for all defaults; each has a root of its own. */
  readonly schema: PreparedSchema;
}

function fill(filling: Filling, schema: unknown, at: { readonly value: unknown; readonly depth: number }): unknown {
  const { value, depth } = at;
  const { budget } = filling;
  if (!isNode(value) || depth >= MAX_DEPTH) return value;
  const parts = partsOf(filling, schema).filter((part) => readNode(part, "properties") !== undefined);
  if (parts.length === 0 || budget.left < 0) return value;
  budget.left -= Object.keys(value).length / KEYS_PER_WORK;
  const filled = new Map<string, unknown>(Object.keys(value).map((key) => [key, readOwn(value, key)]));
  for (const part of parts) {
    const properties = readNode(part, "properties") ?? {};
    for (const name of Object.keys(properties)) {
      budget.left -= 1;
      if (budget.left < 0) return objectOf(filled);
      const property = readOwn(properties, name);
      if (filled.get(name) !== undefined) {
        filled.set(name, fill(filling, property, { value: filled.get(name), depth: depth + 1 }));
      } else {
        const initial = defaultOf(filling, property);
        if (initial !== undefined) filled.set(name, initial);
      }
    }
  }
  return objectOf(filled);
}

/** The nodes that all hold for the object: the schema, what it refers to, and the parts of its `allOf`. */
function partsOf({ references, budget }: Filling, schema: unknown): readonly SchemaNode[] {
  const parts = new Set<SchemaNode>();
  const queue = [asSchema(schema)];
  for (let next = 0; next < queue.length && parts.size < MAX_PARTS; next += 1) {
    const part = queue[next];
    if (!isNode(part) || parts.has(part)) continue;
    budget.left -= 1;
    parts.add(part);
    const reference = readString(part, "$ref");
    if (reference !== undefined) queue.push(references.resolve(reference));
    const all = (readList(part, "allOf") ?? []).slice(0, MAX_PARTS);
    budget.left -= all.length;
    queue.push(...all.map(asSchema));
  }
  return [...parts];
}

function defaultOf(filling: Filling, property: unknown): unknown {
  const holder = partsOf(filling, property).find((part) => hasOwn(part, "default"));
  if (holder === undefined) return undefined;
  const initial = copyJson(filling.budget, readOwn(holder, "default"), 0);
  return initial !== undefined && isAllowed(filling, property, initial) ? initial : undefined;
}

/** Whether the property's schema takes the default; patterns are not looked at. */
function isAllowed({ schema, budget }: Filling, property: unknown, initial: unknown): boolean {
  return validate({ ...schema, root: asSchema(property) ?? true }, initial, { budget, showsKeys: true }).isValid;
}

/** A fresh copy of a JSON value; undefined when it holds anything else, is nested too deeply or costs too much. */
function copyJson(budget: Budget, value: unknown, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0) return undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth >= MAX_COPY_DEPTH) return undefined;
  if (Array.isArray(value)) {
    if (value.length > budget.left) return undefined;
    const items = value.map((item) => copyJson(budget, item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  const entries = Object.keys(value).map((key) => [key, copyJson(budget, readOwn(value, key), depth + 1)] as const);
  return entries.some(([, item]) => item === undefined) ? undefined : objectOf(new Map(entries));
}

/** Own properties only, `__proto__` included. */
function objectOf(entries: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(entries);
}
