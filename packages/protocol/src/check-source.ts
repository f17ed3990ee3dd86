/** A schema made of the keywords that checks know. */
export interface CheckedSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly CheckedSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: CheckedSchema;
  readonly properties?: Readonly<Record<string, CheckedSchema>>;
  readonly required?: readonly string[];
}

const KEYWORDS = new Set(["type", "const", "enum", "anyOf", "minimum", "maximum", "items", "properties", "required"]);

/**
 * The body of a function that returns the check of a schema. The schema is the program's own: its keys and constants
 * become code, as JSON.
 *
 * @throws {TypeError} for a keyword it does not know.
 */
export function checkSourceOf(schema: CheckedSchema): string {
  const functions: string[] = [];
  const check = conditionOf(schema, "value", functions);
  return `"use strict"; ${functions.join(" ")} return (value) => ${check};`;
}

/** An expression that is true when the value of another fits; `functions` collects what it calls. */
function conditionOf(schema: CheckedSchema, value: string, functions: string[]): string {
  for (const keyword of Object.keys(schema)) {
    if (!KEYWORDS.has(keyword)) throw new TypeError(`A shape check does not know the keyword ${keyword}.`);
  }
  const { type, enum: values, anyOf } = schema;
  if (anyOf !== undefined) return `(${anyOf.map((each) => conditionOf(each, value, functions)).join(" || ")})`;
  if ("const" in schema) return `${value} === ${JSON.stringify(schema.const)}`;
  if (values !== undefined) return `(${values.map((each) => `${value} === ${JSON.stringify(each)}`).join(" || ")})`;
  switch (type) {
    case undefined:
      return "true";
    case "integer":
    case "number": {
      const { minimum, maximum } = schema;
      const conditions = [`Number.${type === "integer" ? "isInteger" : "isFinite"}(${value})`];
      if (minimum !== undefined) conditions.push(`${value} >= ${minimum}`);
      if (maximum !== undefined) conditions.push(`${value} <= ${maximum}`);
      return `(${conditions.join(" && ")})`;
    }
    case "array":
      return `(Array.isArray(${value}) && ${itemsFunction(schema.items ?? {}, functions)}(${value}))`;
    case "object": {
      const isObject = `typeof ${value} === "object" && ${value} !== null && !Array.isArray(${value})`;
      return `(${[isObject, ...fieldConditions(schema, value, functions)].join(" && ")})`;
    }
    default:
      return `typeof ${value} === ${JSON.stringify(type)}`;
  }
}

function fieldConditions(
  { properties = {}, required = [] }: CheckedSchema,
  object: string,
  functions: string[],
): string[] {
  return Object.entries(properties).map(([key, schema]) => {
    const name = JSON.stringify(key);
    const field = `${object}[${name}]`;
    const condition = conditionOf(schema, field, functions);
    if (!required.includes(key)) return `(${field} === undefined || ${condition})`;
    // No other condition holds for a field that is not there.
    return condition === "true" ? `${name} in ${object}` : condition;
  });
}

/** By index, so that a hole counts as an item. */
function itemsFunction(schema: CheckedSchema, functions: string[]): string {
  const condition = conditionOf(schema, "items[index]", functions);
  const name = `areItems${functions.length}`;
  const loop = `for (let index = 0; index < items.length; index++) if (!${condition}) return false;`;
  functions.push(`function ${name}(items) { ${loop} return true; }`);
  return name;
}
