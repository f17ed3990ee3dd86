import { generalType, literalType } from "./literal-type.js";
import type { ReadContext } from "./read-context.js";
import { readNumber, readOwn, readString, type SchemaNode } from "./schema-node.js";
import { unionOf, type ScalarType, type SchemaType } from "./schema-type.js";

/** Characters of a literal that cost as much as the literal. */
const CHARS_PER_WORK = 16;

/** A string, number, boolean or null, with what a comment may add: number bounds, or the name of a format. */
export function readScalar(name: "string" | "number" | "integer" | "boolean" | "null", node: SchemaNode): ScalarType {
  const notes =
    name === "string" ? formatNotes(node) : name === "number" || name === "integer" ? numberNotes(name, node) : [];
  const plain = name === "integer" ? "number" : name;
  return notes.length > 0 ? { type: "scalar", name: plain, note: notes.join(", ") } : { type: "scalar", name: plain };
}

/** The values of `const` or `enum` as a union; undefined when they cannot be printed and have no common kind. */
export function readValues(context: ReadContext, values: readonly unknown[]): SchemaType | undefined {
  const { maxLiterals, maxLiteralChars } = context.limits;
  context.work.left -= values.length / CHARS_PER_WORK;
  let charsLeft = maxLiteralChars;
  const literals: SchemaType[] = [];
  if (values.length <= maxLiterals) {
    for (const value of values) {
      const literal = literalType(value, charsLeft);
      if (literal === undefined) break;
      literals.push(literal);
      const chars = literal.type === "literal" ? literal.text.length : 4;
      charsLeft -= chars;
      context.work.left -= 1 + chars / CHARS_PER_WORK;
    }
  }
  if (literals.length === values.length) return unionOf(literals);
  context.findings.add("dropped");
  return generalise(values);
}

function generalise(values: readonly unknown[]): SchemaType | undefined {
  const general = new Map<string, SchemaType>();
  for (const value of values) {
    const type = generalType(value);
    if (type === undefined) return undefined;
    general.set(value === null ? "null" : typeof value, type);
  }
  const note = `one of ${values.length} values`;
  return unionOf(
    [...general.values()].map((type) =>
      type.type === "scalar" && type.name !== "null" && values.length > 1 ? { ...type, note } : type,
    ),
  );
}

function formatNotes(node: SchemaNode): string[] {
  const format = readString(node, "format");
  return format !== undefined && /^[a-z][a-z0-9-]{0,31}$/.test(format) ? [format] : [];
}

/** `integer` and the bounds. Draft 4 writes an exclusive bound as `minimum` with `exclusiveMinimum: true`. */
function numberNotes(name: "number" | "integer", node: SchemaNode): string[] {
  const notes = name === "integer" ? ["integer"] : [];
  const bounds = [
    { keyword: "minimum", exclusive: "exclusiveMinimum", sign: ">" },
    { keyword: "maximum", exclusive: "exclusiveMaximum", sign: "<" },
  ];
  for (const { keyword, exclusive, sign } of bounds) {
    const inclusiveBound = readNumber(node, keyword);
    const exclusiveBound = readNumber(node, exclusive);
    const isExclusive = readOwn(node, exclusive) === true;
    if (inclusiveBound !== undefined) notes.push(`${sign}${isExclusive ? "" : "="} ${inclusiveBound}`);
    if (exclusiveBound !== undefined) notes.push(`${sign} ${exclusiveBound}`);
  }
  const multiple = readNumber(node, "multipleOf");
  if (multiple !== undefined && !(name === "integer" && multiple === 1)) notes.push(`multiple of ${multiple}`);
  return notes;
}
