import { isNode, readOwn } from "./schema-node.js";
import { NULL, type SchemaType } from "./schema-type.js";
import { propertyKey, quote } from "./text.js";

const MAX_LITERAL_DEPTH = 4;

/** The type of exactly one JSON value; undefined when its text would be longer than `maxChars` or is not JSON. */
export function literalType(value: unknown, maxChars: number): SchemaType | undefined {
  if (value === null) return NULL;
  const text = literalText(value, maxChars, 0);
  return text === undefined ? undefined : { type: "literal", text };
}

/** The type of a value in general: what is left of a literal that is too long to print. */
export function generalType(value: unknown): SchemaType | undefined {
  if (value === null) return NULL;
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return { type: "scalar", name: typeof value as "string" | "number" | "boolean" };
    default:
      return undefined;
  }
}

function literalText(value: unknown, maxChars: number, depth: number): string | undefined {
  if (maxChars <= 0 || depth > MAX_LITERAL_DEPTH) return undefined;
  switch (typeof value) {
    case "string":
      return value.length > maxChars ? undefined : within(quote(value), maxChars);
    case "number":
      return Number.isFinite(value) ? within(String(value), maxChars) : undefined;
    case "boolean":
      return String(value);
    default:
      if (value === null) return "null";
      if (Array.isArray(value)) return listText(value, maxChars, depth);
      return isNode(value) ? objectText(value, maxChars, depth) : undefined;
  }
}

function listText(values: readonly unknown[], maxChars: number, depth: number): string | undefined {
  const parts: string[] = [];
  let left = maxChars - 2;
  for (const value of values) {
    const text = literalText(value, left, depth + 1);
    if (text === undefined) return undefined;
    parts.push(text);
    left -= text.length + 2;
  }
  return `[${parts.join(", ")}]`;
}

function objectText(value: object, maxChars: number, depth: number): string | undefined {
  const parts: string[] = [];
  let left = maxChars - 4;
  for (const key of Object.keys(value)) {
    if (left <= 0) return undefined;
    const text = literalText(readOwn(value, key), left, depth + 1);
    if (text === undefined) return undefined;
    const part = `${propertyKey(key)}: ${text}`;
    parts.push(part);
    left -= part.length + 2;
  }
  return parts.length === 0 ? "{}" : within(`{ ${parts.join("; ")} }`, maxChars);
}

function within(text: string, maxChars: number): string | undefined {
  return text.length <= maxChars ? text : undefined;
}
