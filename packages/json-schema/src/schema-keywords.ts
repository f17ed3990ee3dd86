import { isNode, readOwn, type SchemaNode } from "./schema-node.js";

const TYPE_NAMES = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

type Shape = (value: unknown) => boolean;

const isSchema: Shape = (value) => typeof value === "boolean" || isNode(value);
const isSchemaList: Shape = (value) => Array.isArray(value) && value.every(isSchema);
const isStringList: Shape = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");
const isNumber: Shape = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Shape = (value) => Number.isInteger(value) && Number(value) >= 0;
const isTypeName: Shape = (value) => typeof value === "string" && TYPE_NAMES.has(value);

function mapOf(shape: Shape): Shape {
  return (value) => isNode(value) && Object.keys(value).every((key) => shape(readOwn(value, key)));
}

/** Keywords that hold exactly one schema. */
const SINGLES = [
  "additionalItems",
  "additionalProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** What each keyword must look like; keywords that are not here say nothing that is checked. */
const SHAPES: Readonly<Record<string, readonly [Shape, string]>> = {
  $ref: [(value) => typeof value === "string", "must be a string"],
  type: [
    (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
    "must be a JSON Schema type name, or a list of them",
  ],
  enum: [Array.isArray, "must be a list"],
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, "must be a number above 0"],
  minimum: [isNumber, "must be a number"],
  maximum: [isNumber, "must be a number"],
  exclusiveMinimum: [(value) => isNumber(value) || typeof value === "boolean", "must be a number"],
  exclusiveMaximum: [(value) => isNumber(value) || typeof value === "boolean", "must be a number"],
  minLength: [isCount, "must be a whole number"],
  maxLength: [isCount, "must be a whole number"],
  pattern: [(value) => typeof value === "string", "must be a string"],
  minItems: [isCount, "must be a whole number"],
  maxItems: [isCount, "must be a whole number"],
  minContains: [isCount, "must be a whole number"],
  maxContains: [isCount, "must be a whole number"],
  uniqueItems: [(value) => typeof value === "boolean", "must be true or false"],
  minProperties: [isCount, "must be a whole number"],
  maxProperties: [isCount, "must be a whole number"],
  required: [isStringList, "must be a list of property names"],
  dependentRequired: [mapOf(isStringList), "must map names to lists of names"],
  dependencies: [
    mapOf((value) => isSchema(value) || isStringList(value)),
    "must map names to lists of names or schemas",
  ],
  properties: [mapOf(isSchema), "must map names to schemas"],
  patternProperties: [mapOf(isSchema), "must map patterns to schemas"],
  dependentSchemas: [mapOf(isSchema), "must map names to schemas"],
  $defs: [mapOf(isSchema), "must map names to schemas"],
  definitions: [mapOf(isSchema), "must map names to schemas"],
  items: [(value) => isSchema(value) || isSchemaList(value), "must be a schema"],
  prefixItems: [isSchemaList, "must be a list of schemas"],
  allOf: [isSchemaList, "must be a list of schemas"],
  anyOf: [isSchemaList, "must be a list of schemas"],
  oneOf: [isSchemaList, "must be a list of schemas"],
  ...Object.fromEntries(SINGLES.map((keyword) => [keyword, [isSchema, "must be a schema"] as const])),
};

/** Keywords whose schemas apply to the value itself, not to a part of it. */
export const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);

/** What is wrong with a keyword's value; undefined when it is sound or says nothing that is checked. */
export function keywordProblem(keyword: string, value: unknown): string | undefined {
  const rule = Object.hasOwn(SHAPES, keyword) ? SHAPES[keyword] : undefined;
  return rule === undefined || rule[0](value) ? undefined : rule[1];
}

/** Keywords that hold a schema, a list of schemas, or a map of names to schemas; `items` holds either of two. */
const SINGLE_KEYWORDS: ReadonlySet<string> = new Set([...SINGLES, "items"]);
const LIST_KEYWORDS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
]);

/** The schemas directly inside a node, where `keywordProblem` found nothing wrong. */
export function* subschemas(
  node: SchemaNode,
): Generator<{ readonly keyword: string; readonly path: string; readonly part: unknown }> {
  for (const keyword of Object.keys(node)) {
    const value = readOwn(node, keyword);
    if (Array.isArray(value) && LIST_KEYWORDS.has(keyword)) {
      for (const [position, part] of value.entries()) {
        if (isSchema(part)) yield { keyword, path: `${keyword}/${position}`, part };
      }
    } else if (isNode(value) && MAP_KEYWORDS.has(keyword)) {
      for (const key of Object.keys(value)) yield { keyword, path: `${keyword}/${key}`, part: readOwn(value, key) };
    } else if (isNode(value) && SINGLE_KEYWORDS.has(keyword)) {
      yield { keyword, path: keyword, part: value };
    }
  }
}
