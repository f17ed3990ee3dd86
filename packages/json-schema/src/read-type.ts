import { createReferences } from "./references.js";
import { cut, type Finding, type Place, type ReadContext, type ReadLimits } from "./read-context.js";
import type { Budget } from "./pattern-automaton.js";
import { readArray } from "./read-array.js";
import { readObject } from "./read-object.js";
import { readScalar, readValues } from "./read-scalar.js";
import { asSchema, hasOwn, readList, readNode, readOwn, readString, type SchemaNode } from "./schema-node.js";
import { intersectionOf, NEVER, NULL, unionOf, UNKNOWN, type SchemaType } from "./schema-type.js";

/** Schema nodes inside each other, references included; far above any real schema, far below the stack's end. */
const MAX_NESTING = 64;
const MAX_BRANCHES = 64;
/** A node costs as much as so many literals. */
const NODE_WORK = 4;
const CONDITIONS = ["if", "then", "else", "dependentSchemas", "dependencies"] as const;
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
/** Keywords that say something about the value besides what the node's own type says; most nodes have none. */
const FURTHER_KEYWORDS: ReadonlySet<string> = new Set([
  ...CONDITIONS,
  ...REFERENCES,
  "allOf",
  "anyOf",
  "oneOf",
  "nullable",
  "unevaluatedProperties",
]);

export interface ReadType {
  readonly type: SchemaType;
  readonly findings: ReadonlySet<Finding>;
}

/**
 * Reads a schema as a type within fixed bounds. Untrusted: takes any value, never throws, runs no code of the schema,
 * follows references only inside it, and says in `findings` what the type does not show. Takes nodes, properties and
 * literals from `work`.
 */
export function readType(schema: unknown, limits: ReadLimits, work: Budget = { left: Infinity }): ReadType {
  const context: ReadContext = {
    limits,
    references: createReferences(schema),
    findings: new Set(),
    active: new Set(),
    nodesLeft: limits.maxNodes,
    work,
    read: (value, place) => readSchema(context, value, place),
  };
  const start: Place = { depth: 0, nesting: 0, isClosedAround: false, hasDefaultsApplied: limits.defaultsAreOptional };
  return { type: context.read(schema, start), findings: context.findings };
}

function readSchema(context: ReadContext, value: unknown, place: Place): SchemaType {
  const schema = asSchema(value);
  if (schema === undefined) return cut(context, "unsupported");
  if (schema === true) return UNKNOWN;
  if (schema === false) return NEVER;
  if (context.active.has(schema)) return cut(context, "recursive");
  if (context.nodesLeft <= 0 || context.work.left <= 0) return cut(context, "budget");
  if (place.nesting > MAX_NESTING) return cut(context, "size");
  context.nodesLeft -= 1;
  context.work.left -= NODE_WORK;
  context.active.add(schema);
  const type = readParts(context, schema, place);
  context.active.delete(schema);
  return type;
}

/** Everything a node says about the value in place: its own keywords, its reference and its branches, all at once. */
function readParts(context: ReadContext, node: SchemaNode, place: Place): SchemaType {
  if (!hasFurtherKeyword(node)) return readBase(context, node, place);
  const inPlace: Place = {
    ...place,
    nesting: place.nesting + 1,
    isClosedAround: place.isClosedAround || readOwn(node, "unevaluatedProperties") === false,
  };
  const parts: SchemaType[] = [];
  for (const keyword of REFERENCES) {
    const reference = readString(node, keyword);
    if (reference !== undefined) parts.push(readReference(context, reference, inPlace));
  }
  parts.push(readBase(context, node, inPlace));
  for (const part of branches(context, node, "allOf") ?? []) parts.push(context.read(part, inPlace));
  for (const keyword of ["anyOf", "oneOf"]) {
    const members = branches(context, node, keyword);
    if (members !== undefined) parts.push(readUnion(context, members, inPlace));
  }
  if (CONDITIONS.some((keyword) => hasOwn(node, keyword))) context.findings.add("dropped");
  const type = intersectionOf(parts) ?? cut(context, "size");
  const isNullable = readOwn(node, "nullable") === true && type.type !== "unknown" && type.type !== "cut";
  return isNullable ? unionOf([type, NULL]) : type;
}

function hasFurtherKeyword(node: SchemaNode): boolean {
  for (const keyword in node) if (FURTHER_KEYWORDS.has(keyword)) return true;
  return false;
}

function readReference(context: ReadContext, reference: string, place: Place): SchemaType {
  const target = context.references.resolve(reference);
  return target === undefined ? cut(context, "unresolved") : context.read(target, place);
}

/** Branches of `allOf`, `anyOf` or `oneOf`; undefined when there are none. */
function branches(context: ReadContext, node: SchemaNode, keyword: string): readonly unknown[] | undefined {
  const list = readList(node, keyword);
  if (list === undefined || list.length === 0) return undefined;
  if (list.length > MAX_BRANCHES && keyword === "allOf") context.findings.add("dropped");
  return keyword === "allOf" ? list.slice(0, MAX_BRANCHES) : list;
}

function readUnion(context: ReadContext, members: readonly unknown[], place: Place): SchemaType {
  if (members.length > MAX_BRANCHES) return cut(context, "size");
  const types = members.map((member) => context.read(member, place));
  for (const type of types) context.work.left -= type.type === "union" ? type.members.length : 1;
  const type = unionOf(types);
  if (type.type === "unknown") context.findings.add("dropped");
  return type;
}

/** What `const`, `enum`, `type` and the keywords of objects and arrays say. */
function readBase(context: ReadContext, node: SchemaNode, place: Place): SchemaType {
  const values = hasOwn(node, "const") ? [readOwn(node, "const")] : readList(node, "enum");
  const declared = readOwn(node, "type");
  if (values !== undefined && (values.length > 0 || declared === undefined)) {
    return readValues(context, values) ?? readNamed(context, node, declared, place);
  }
  return readNamed(context, node, declared, place);
}

function readNamed(context: ReadContext, node: SchemaNode, declared: unknown, place: Place): SchemaType {
  if (declared === undefined) return readUntyped(context, node, place);
  if (!Array.isArray(declared)) return readNamedType(context, node, declared, place);
  const names = (declared as readonly unknown[]).slice(0, MAX_BRANCHES);
  if (names.length === 0) return cut(context, "unsupported");
  return unionOf(names.map((name) => readNamedType(context, node, name, place)));
}

function readNamedType(context: ReadContext, node: SchemaNode, name: unknown, place: Place): SchemaType {
  switch (name) {
    case "object":
      return readObject(context, node, place);
    case "array":
      return readArray(context, node, place);
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return readScalar(name, node);
    default:
      return cut(context, "unsupported");
  }
}

/** A node without `type`: its keywords tell whether it describes an object or an array; a bare `required` does not. */
function readUntyped(context: ReadContext, node: SchemaNode, place: Place): SchemaType {
  const describesObject =
    readNode(node, "properties") !== undefined ||
    readNode(node, "patternProperties") !== undefined ||
    readNode(node, "additionalProperties") !== undefined;
  if (describesObject) return readObject(context, node, place);
  if (hasOwn(node, "items") || hasOwn(node, "prefixItems")) return readArray(context, node, place);
  if (hasOwn(node, "required")) context.findings.add("dropped");
  return UNKNOWN;
}
