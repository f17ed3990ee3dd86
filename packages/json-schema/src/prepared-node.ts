import { canonicalText } from "./json-equal.js";
import {
  asSchema,
  hasOwn,
  isNode,
  readList,
  readNode,
  readNumber,
  readOwn,
  readString,
  readStrings,
  type Schema,
  type SchemaNode,
} from "./schema-node.js";
import { shorten } from "./text.js";

/** A schema node with its keywords read once, for validation. Malformed keywords are absent. */
export interface PreparedNode {
  readonly isNullable: boolean;
  /** What applies to the same value: targets of references, then `allOf`. */
  readonly references: readonly string[];
  readonly allOf: readonly unknown[];
  readonly anyOf: readonly unknown[] | undefined;
  readonly oneOf: readonly unknown[] | undefined;
  readonly not: unknown;
  readonly condition: { readonly if: unknown; readonly then: unknown; readonly else: unknown } | undefined;
  readonly types: readonly string[] | undefined;
  /** One per `const` and `enum`. */
  readonly values: readonly AllowedValues[];
  readonly number: NumberRules | undefined;
  readonly string: StringRules | undefined;
  readonly array: ArrayRules | undefined;
  readonly object: ObjectRules | undefined;
  readonly unevaluatedItems: unknown;
  readonly unevaluatedProperties: unknown;
}

export interface AllowedValues {
  readonly list: readonly unknown[];
  /** Canonical texts of the list. */
  readonly texts: ReadonlySet<string>;
  /** Length of the longest of them. */
  readonly longest: number;
  /** The start of the list, for problems. */
  readonly shown: string;
}

export interface NumberRules {
  readonly above: number | undefined;
  readonly below: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly multiple: number | undefined;
}

export interface StringRules {
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string | undefined;
}

export interface ArrayRules {
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly isUnique: boolean;
  readonly prefix: readonly unknown[];
  readonly others: unknown;
  readonly contains: { readonly schema: unknown; readonly least: number; readonly most: number } | undefined;
}

export interface ObjectRules {
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, unknown>;
  readonly patterns: readonly { readonly pattern: string; readonly schema: unknown }[];
  readonly others: Schema | undefined;
  readonly names: unknown;
  /** What a present key requires: other keys, or that the object satisfies a schema. */
  readonly dependents: readonly {
    readonly key: string;
    readonly required: readonly string[];
    readonly schema: unknown;
  }[];
}

/** Reads every keyword that validation looks at; does not go into the schemas inside. */
export function prepareNode(node: SchemaNode): PreparedNode {
  const type = readOwn(node, "type");
  return {
    isNullable: readOwn(node, "nullable") === true,
    references: ["$ref", "$dynamicRef", "$recursiveRef"].flatMap((keyword) => readString(node, keyword) ?? []),
    allOf: readList(node, "allOf") ?? [],
    anyOf: readList(node, "anyOf"),
    oneOf: readList(node, "oneOf"),
    not: readOwn(node, "not"),
    condition: hasOwn(node, "if")
      ? { if: readOwn(node, "if"), then: readOwn(node, "then"), else: readOwn(node, "else") }
      : undefined,
    types: type === undefined ? undefined : (Array.isArray(type) ? (type as readonly unknown[]) : [type]).map(String),
    values: [hasOwn(node, "const") ? [readOwn(node, "const")] : undefined, readList(node, "enum")].flatMap((list) =>
      list === undefined ? [] : [allowedValues(list)],
    ),
    number: orNothing(numberRules(node)),
    string: orNothing({
      minLength: readNumber(node, "minLength"),
      maxLength: readNumber(node, "maxLength"),
      pattern: readString(node, "pattern"),
    }),
    array: arrayRules(node),
    object: objectRules(node),
    unevaluatedItems: readOwn(node, "unevaluatedItems"),
    unevaluatedProperties: readOwn(node, "unevaluatedProperties"),
  };
}

function allowedValues(list: readonly unknown[]): AllowedValues {
  const texts = list.map((value) => canonicalText(value));
  const shown = texts.slice(0, 40).map((text) => shorten(text ?? "…", 60));
  const known = texts.filter((text) => text !== undefined);
  const longest = known.reduce((most, text) => Math.max(most, text.length), 0);
  return { list, texts: new Set(known), longest, shown: shorten(shown.join(", "), 200) };
}

function orNothing<Rules extends object>(rules: Rules): Rules | undefined {
  return Object.values(rules).every((rule) => rule === undefined) ? undefined : rules;
}

/** Draft 4 writes an exclusive bound as `minimum` with `exclusiveMinimum: true`. */
function numberRules(node: SchemaNode): NumberRules {
  const minimum = readNumber(node, "minimum");
  const maximum = readNumber(node, "maximum");
  return {
    minimum,
    maximum,
    above: readOwn(node, "exclusiveMinimum") === true ? minimum : readNumber(node, "exclusiveMinimum"),
    below: readOwn(node, "exclusiveMaximum") === true ? maximum : readNumber(node, "exclusiveMaximum"),
    multiple: readNumber(node, "multipleOf"),
  };
}

/** `prefixItems` and `items`, or their older forms: a list in `items`, and `additionalItems`. */
function arrayRules(node: SchemaNode): ArrayRules | undefined {
  const items = readOwn(node, "items");
  const isOlder = Array.isArray(items);
  const contains = readOwn(node, "contains");
  const rules: ArrayRules = {
    minItems: readNumber(node, "minItems"),
    maxItems: readNumber(node, "maxItems"),
    isUnique: readOwn(node, "uniqueItems") === true,
    prefix: readList(node, "prefixItems") ?? readList(node, "items") ?? [],
    others: isOlder ? readOwn(node, "additionalItems") : items,
    contains:
      contains === undefined
        ? undefined
        : {
            schema: contains,
            least: readNumber(node, "minContains") ?? 1,
            most: readNumber(node, "maxContains") ?? Infinity,
          },
  };
  const { minItems, maxItems, isUnique, prefix, others } = rules;
  const isBare = minItems === undefined && maxItems === undefined && !isUnique && prefix.length === 0;
  return isBare && others === undefined && contains === undefined ? undefined : rules;
}

function objectRules(node: SchemaNode): ObjectRules | undefined {
  const patterns = readNode(node, "patternProperties") ?? {};
  const rules: ObjectRules = {
    minProperties: readNumber(node, "minProperties"),
    maxProperties: readNumber(node, "maxProperties"),
    required: readStrings(node, "required"),
    properties: entriesOf(readNode(node, "properties")),
    patterns: Object.keys(patterns).map((pattern) => ({ pattern, schema: readOwn(patterns, pattern) })),
    others: asSchema(readOwn(node, "additionalProperties")),
    names: readOwn(node, "propertyNames"),
    dependents: ["dependentRequired", "dependentSchemas", "dependencies"].flatMap((keyword) =>
      dependents(node, keyword),
    ),
  };
  const hasLists = rules.required.length + rules.patterns.length + rules.dependents.length + rules.properties.size > 0;
  const { minProperties, maxProperties, others, names } = rules;
  const hasRules = [minProperties, maxProperties, others, names].some((rule) => rule !== undefined);
  return hasLists || hasRules ? rules : undefined;
}

function entriesOf(map: SchemaNode | undefined): ReadonlyMap<string, unknown> {
  return new Map(Object.keys(map ?? {}).map((key) => [key, readOwn(map ?? {}, key)]));
}

function dependents(node: SchemaNode, keyword: string): ObjectRules["dependents"] {
  const map = readNode(node, keyword) ?? {};
  return Object.keys(map).map((key) => {
    const rule = readOwn(map, key);
    const isSchema = isNode(rule) || typeof rule === "boolean";
    return { key, required: readStrings(map, key), schema: isSchema ? rule : undefined };
  });
}
