import type { Static, TSchema } from "typebox";
import { checkSourceOf, type CheckedSchema } from "./check-source.js";

/**
 * Turns a schema of the program, made with `Type`, into a check of plain data, such as `JSON.parse` and a structured clone
 * give. It answers as typebox does, so fields that no schema names are allowed; but a hole in an array is an item, which
 * is undefined. Compiled, or interpreted in a process that forbids code from strings.
 *
 * @throws {TypeError} for a keyword it does not know.
 */
export function createShapeCheck<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  type Check = (value: unknown) => value is Static<Schema>;
  const source = checkSourceOf(schema);
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the schema is the program's own
    return (new Function(source) as () => Check)();
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    return (value): value is Static<Schema> => fits(schema, value);
  }
}

function fits(schema: CheckedSchema, value: unknown): boolean {
  const { type, enum: values, anyOf, minimum = -Infinity, maximum = Infinity, items = {} } = schema;
  if (anyOf !== undefined) return anyOf.some((each) => fits(each, value));
  if ("const" in schema) return value === schema.const;
  if (values !== undefined) return values.includes(value);
  switch (type) {
    case undefined:
      return true;
    case "integer":
      return Number.isInteger(value) && isBetween(value as number, minimum, maximum);
    case "number":
      return Number.isFinite(value) && isBetween(value as number, minimum, maximum);
    case "array":
      return Array.isArray(value) && Array.from(value).every((item) => fits(items, item));
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value) && fieldsFit(schema, value);
    default:
      return typeof value === type;
  }
}

function isBetween(value: number, minimum: number, maximum: number): boolean {
  return value >= minimum && value <= maximum;
}

function fieldsFit({ properties = {}, required = [] }: CheckedSchema, object: object): boolean {
  return Object.entries(properties).every(([key, schema]) => {
    const field = (object as Readonly<Record<string, unknown>>)[key];
    return field === undefined
      ? !required.includes(key) || (key in object && fits(schema, field))
      : fits(schema, field);
  });
}
