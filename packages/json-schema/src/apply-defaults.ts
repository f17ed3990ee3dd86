import { createReferences, type References } from "./references.js";
import { asSchema, hasOwn, isNode, readList, readNode, readOwn, readString, type SchemaNode } from "./schema-node.js";
import { validate } from "./validate.js";
import { prepareSchema } from "./validation-run.js";

/** Object layers into which defaults are looked for. */
const MAX_DEPTH = 16;
/** Nodes in a row that may stand for one object: references and the parts of `allOf`. */
const MAX_PARTS = 32;
/** Properties of schemas looked at in all; what comes later keeps no defaults. */
const MAX_PROPERTIES = 10_000;
/** Work of checking one default against its schema. */
const MAX_WORK = 2_000;
const MAX_COPY_DEPTH = 32;

/**
 * The value with the schema's property defaults filled in, at the top and in objects that are there already. A
 * property that is missing or `undefined` gets its default; a default that its own schema refuses is left out.
 *
 * Untrusted: takes any schema, never throws, never changes schema or value, and the result shares nothing with the
 * schema. What is no object comes back as it is.
 */
export function applyDefaults(schema: unknown, value: unknown): unknown {
  const filling: Filling = { references: createReferences(schema), propertiesLeft: MAX_PROPERTIES };
  return fill(filling, schema, { value, depth: 0 });
}

interface Filling {
  readonly references: References;
  propertiesLeft: number;
}

function fill(filling: Filling, schema: unknown, at: { readonly value: unknown; readonly depth: number }): unknown {
  const { value, depth } = at;
  const { references } = filling;
  if (!isNode(value) || depth >= MAX_DEPTH) return value;
  const filled = new Map<string, unknown>(Object.keys(value).map((key) => [key, readOwn(value, key)]));
  for (const part of partsOf(references, schema)) {
    const properties = readNode(part, "properties");
    if (properties === undefined) continue;
    for (const name of Object.keys(properties)) {
      filling.propertiesLeft -= 1;
      if (filling.propertiesLeft < 0) return objectOf(filled);
      const property = readOwn(properties, name);
      if (filled.get(name) !== undefined) {
        filled.set(name, fill(filling, property, { value: filled.get(name), depth: depth + 1 }));
      } else {
        const initial = defaultOf(references, property);
        if (initial !== undefined) filled.set(name, initial);
      }
    }
  }
  return objectOf(filled);
}

/** The nodes that all hold for the object: the schema, what it refers to, and the parts of its `allOf`. */
function partsOf(references: References, schema: unknown): readonly SchemaNode[] {
  const parts: SchemaNode[] = [];
  const queue = [asSchema(schema)];
  for (let next = 0; next < queue.length && parts.length < MAX_PARTS; next += 1) {
    const part = queue[next];
    if (!isNode(part) || parts.includes(part)) continue;
    parts.push(part);
    const reference = readString(part, "$ref");
    if (reference !== undefined) queue.push(references.resolve(reference));
    queue.push(...(readList(part, "allOf") ?? []).slice(0, MAX_PARTS).map(asSchema));
  }
  return parts;
}

function defaultOf(references: References, property: unknown): unknown {
  const holder = partsOf(references, property).find((part) => hasOwn(part, "default"));
  if (holder === undefined) return undefined;
  const initial = copyJson(readOwn(holder, "default"), 0);
  return initial !== undefined && isAllowed(references, property, initial) ? initial : undefined;
}

/** Whether the property's schema takes the default; patterns are not looked at. */
function isAllowed(references: References, property: unknown, initial: unknown): boolean {
  const root = asSchema(property) ?? true;
  const schema = prepareSchema({ root, references, patterns: new Map(), tracksEvaluated: false });
  return validate(schema, initial, { maxWork: MAX_WORK, showsKeys: true }).isValid;
}

/** A fresh copy of a JSON value; undefined when it holds anything else or is nested too deeply. */
function copyJson(value: unknown, depth: number): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth >= MAX_COPY_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => copyJson(item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  const entries = Object.keys(value).map((key) => [key, copyJson(readOwn(value, key), depth + 1)] as const);
  return entries.some(([, item]) => item === undefined) ? undefined : objectOf(new Map(entries));
}

/** Own properties only, `__proto__` included. */
function objectOf(entries: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(entries);
}
