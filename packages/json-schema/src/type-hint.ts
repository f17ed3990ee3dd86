import { readType, type ReadType } from "./read-type.js";
import type { ReadLimits } from "./read-context.js";
import type { CutReason, SchemaType } from "./schema-type.js";
import { typeText, type TypeStyle } from "./type-text.js";

export interface TypeHintOptions {
  /** Longest text, in UTF-16 units. */
  readonly maxChars: number;
  /** Properties named in all, nested ones included. */
  readonly maxProperties: number;
  /** Object layers shown. */
  readonly maxDepth: number;
  /** Whether number bounds follow as comments. Default true. */
  readonly hasNotes?: boolean;
}

export interface TypeHint {
  readonly text: string;
  /**
   * Whether the text says everything about the shape: nothing was cut or left out, and every object layer is closed
   * with `additionalProperties: false`. A hint that is only `unknown` is not complete.
   */
  readonly isComplete: boolean;
}

const MAX_NODES = 400;
const MAX_LITERALS = 12;
const MAX_LITERAL_CHARS = 160;

/**
 * A schema as a TypeScript-like type on one line, such as `{ id: string; limit?: number /* integer, >= 1 *\/ }`.
 *
 * Shows as many object layers as fit; what does not fit is `...`. Required properties come first. Untrusted: takes
 * any value and never throws; what cannot be read is `unknown`.
 */
export function typeHint(schema: unknown, options: TypeHintOptions): TypeHint {
  const style: TypeStyle = { arrays: "generic", hasNotes: options.hasNotes ?? true, omitted: "dots", cutText };
  let best: TypeHint | undefined;
  for (let depth = 1; depth <= options.maxDepth; depth += 1) {
    const read = readType(schema, limitsFor(depth, options));
    const text = typeText(read.type, style);
    if (text.length > options.maxChars || countProperties(read.type) > options.maxProperties) {
      return best ?? shortened(read, style, options);
    }
    best = { text, isComplete: read.findings.size === 0 && read.type.type !== "unknown" };
    if (!read.findings.has("depth")) break;
  }
  return best ?? { text: "unknown", isComplete: false };
}

/** A layer that is too deep is known to be an object. */
function cutText(reason: CutReason): string {
  return reason === "depth" ? "{ ... }" : "unknown";
}

function limitsFor(maxDepth: number, options: TypeHintOptions): ReadLimits {
  return {
    maxDepth,
    maxProperties: options.maxProperties,
    maxNodes: MAX_NODES,
    maxLiterals: MAX_LITERALS,
    maxLiteralChars: MAX_LITERAL_CHARS,
    defaultsAreOptional: false,
  };
}

function countProperties(type: SchemaType): number {
  switch (type.type) {
    case "array":
      return countProperties(type.items);
    case "tuple":
      return sum(type.items.map(({ item }) => countProperties(item)));
    case "object":
      return sum(type.properties.map((property) => 1 + countProperties(property.value)));
    case "union":
    case "intersection":
      return sum(type.members.map(countProperties));
    default:
      return 0;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** One layer is too much already: as many leading properties as fit. */
function shortened(read: ReadType, style: TypeStyle, options: TypeHintOptions): TypeHint {
  const type = read.type;
  if (type.type !== "object") return { text: "unknown", isComplete: false };
  for (let kept = type.properties.length - 1; kept > 0; kept -= 1) {
    const properties = type.properties.slice(0, kept);
    const text = typeText({ type: "object", properties, omitted: 1 }, style);
    if (text.length <= options.maxChars) return { text, isComplete: false };
  }
  return { text: "{ ... }", isComplete: false };
}
