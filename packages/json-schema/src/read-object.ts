import { literalType } from "./literal-type.js";
import { cut, type Place, type ReadContext } from "./read-context.js";
import {
  asSchema,
  hasOwn,
  isNode,
  readNode,
  readOwn,
  readString,
  readStrings,
  type SchemaNode,
} from "./schema-node.js";
import { unionOf, UNKNOWN, type ObjectType, type PropertyType, type SchemaType } from "./schema-type.js";

const MAX_DEFAULT_CHARS = 80;

/** An object with named properties, a dictionary, or both. */
export function readObject(context: ReadContext, node: SchemaNode, place: Place): SchemaType {
  const named = readNode(node, "properties");
  const required = new Set(readStrings(node, "required"));
  const names = propertyNames(named, required);
  const depth = place.depth + 1;
  if (depth > context.limits.maxDepth && (names.length > 0 || hasIndex(node))) return cut(context, "depth");
  const inside: Place = { ...place, depth, nesting: place.nesting + 1, isClosedAround: false };
  const kept = names.slice(0, context.limits.maxProperties);
  context.work.left -= names.length;
  const omitted = names.length - kept.length;
  if (omitted > 0) context.findings.add("size");
  const properties = kept.map((name) => readProperty(context, { named, name, isRequired: required.has(name) }, inside));
  const index = readIndex(context, node, { ...inside, hasDefaultsApplied: false });
  const isClosed = readOwn(node, "additionalProperties") === false || place.isClosedAround;
  if (!isClosed || index !== undefined) context.findings.add("open");
  return objectType(context, { properties, index, omitted, saysNothing: named === undefined && !isClosed });
}

/** Required names first, also those that `properties` does not describe, then the others in order. */
function propertyNames(named: SchemaNode | undefined, required: ReadonlySet<string>): readonly string[] {
  const described = named === undefined ? [] : Object.keys(named);
  if (required.size === 0) return described;
  const undescribed = [...required].filter((name) => named === undefined || !hasOwn(named, name));
  return [
    ...described.filter((name) => required.has(name)),
    ...undescribed,
    ...described.filter((name) => !required.has(name)),
  ];
}

function readProperty(
  context: ReadContext,
  property: { readonly named: SchemaNode | undefined; readonly name: string; readonly isRequired: boolean },
  place: Place,
): PropertyType {
  const { named, name, isRequired } = property;
  if (named === undefined || !hasOwn(named, name)) {
    context.findings.add("open");
    return { name, value: UNKNOWN, isOptional: false };
  }
  const schema = readOwn(named, name);
  const hasDefault = isNode(schema) && hasOwn(schema, "default");
  const isOptional = !isRequired || (hasDefault && place.hasDefaultsApplied);
  const value = context.read(schema, place);
  const description = isNode(schema) ? readString(schema, "description") : undefined;
  const defaultText = hasDefault ? defaultOf(schema) : undefined;
  // Most of a catalog's properties come by here: no spread where there is nothing to spread.
  if (defaultText === undefined) {
    return description === undefined ? { name, value, isOptional } : { name, value, isOptional, description };
  }
  return { name, value, isOptional, defaultText, ...(description === undefined ? {} : { description }) };
}

function defaultOf(schema: SchemaNode): string | undefined {
  const type = literalType(readOwn(schema, "default"), MAX_DEFAULT_CHARS);
  if (type === undefined) return undefined;
  return type.type === "literal" ? type.text : "null";
}

function hasIndex(node: SchemaNode): boolean {
  const others = readOwn(node, "additionalProperties");
  return readNode(node, "patternProperties") !== undefined || (isNode(others) && Object.keys(others).length > 0);
}

/** The type of the keys that `properties` does not name, if the schema speaks of them. */
function readIndex(context: ReadContext, node: SchemaNode, place: Place): SchemaType | undefined {
  const patterns = readNode(node, "patternProperties");
  const patternNames = patterns === undefined ? [] : Object.keys(patterns).slice(0, context.limits.maxProperties);
  const schemas = patternNames.map((name) => readOwn(patterns ?? {}, name));
  const others = readOwn(node, "additionalProperties");
  if (asSchema(others) !== undefined && others !== false) schemas.push(others);
  return schemas.length === 0 ? undefined : unionOf(schemas.map((schema) => context.read(schema, place)));
}

/**
 * TypeScript wants every named property to fit the index type, so beside named properties the index is `unknown`. An
 * object of which nothing at all is known is a dictionary of unknown values.
 */
function objectType(
  context: ReadContext,
  parts: { properties: readonly PropertyType[]; index: SchemaType | undefined; omitted: number; saysNothing: boolean },
): ObjectType {
  const { properties, index, omitted, saysNothing } = parts;
  if (properties.length === 0) {
    const isFree = index === undefined || index.type === "unknown";
    if (isFree) return { type: "object", properties, omitted, ...(saysNothing ? { index: UNKNOWN } : {}) };
    return { type: "object", properties, omitted, index };
  }
  if (index === undefined) return { type: "object", properties, omitted };
  if (index.type !== "unknown") context.findings.add("dropped");
  return { type: "object", properties, omitted, index: UNKNOWN };
}
