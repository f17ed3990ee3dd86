import type { Budget } from "./pattern-automaton.js";
import { typeBlock } from "./type-block.js";
import { readType, type ReadType } from "./read-type.js";
import type { Finding, ReadLimits } from "./read-context.js";
import { acceptsEmptyObject, acceptsObjects } from "./schema-type.js";

export interface TypeDeclarationOptions {
  /** Spaces before the lines after the first. Default 0. */
  readonly indent?: number;
  /** Longest text, in UTF-16 units. Default 16_000. Longer types are printed with fewer layers. */
  readonly maxChars?: number;
  /** Object layers printed. Default 20. */
  readonly maxDepth?: number;
  /** Whether a required property with a default may be left out, as when the caller applies defaults. Default false. */
  readonly defaultsAreOptional?: boolean;
  /** Whether the outermost object's properties carry their descriptions as comments. Default true. */
  readonly describesOutermost?: boolean;
  /**
   * Work that this rendering may spend and takes from, to share among several: nodes, properties and literals read, and
   * text made, of about a quarter of a microsecond each. Past it the type is `unknown`, with a problem. Default endless.
   */
  readonly budget?: Budget;
}

export interface TypeDeclaration {
  /** A TypeScript type, over several lines when it is long. Always valid, at least `unknown`. */
  readonly text: string;
  /** What is wrong with the schema or had to be cut, as sentences; no text of the schema in them. */
  readonly problems: readonly string[];
  /** Whether `{}` is a value of the type. */
  readonly acceptsEmptyObject: boolean;
  /** Whether any object is. */
  readonly acceptsObjects: boolean;
  /** Properties of the outermost object, in the order printed; none when it is not one plain object. */
  readonly outermost: readonly OutermostProperty[];
}

export interface OutermostProperty {
  readonly name: string;
  /** Untrusted text. */
  readonly description?: string;
  /** The default as a literal; untrusted text. */
  readonly defaultText?: string;
}

/** Layers tried when the whole is too large. */
const LAYERS = [8, 5, 3, 2, 1];
/** Characters printed that cost as much as a property read. */
const CHARS_PER_WORK = 16;
const MAX_NODES = 4_000;
const MAX_PROPERTIES = 2_000;
const MAX_LITERALS = 80;
const MAX_LITERAL_CHARS = 2_000;

const TOO_LARGE = "The schema is too large; parts of its type were cut.";
const PROBLEMS: Readonly<Partial<Record<Finding, string>>> = {
  depth: "Layers of the schema beyond the printed ones were cut.",
  size: TOO_LARGE,
  budget: TOO_LARGE,
  unresolved: "A $ref of the schema names nothing inside it.",
  unsupported: "A part of the schema is not JSON Schema.",
};

/**
 * A schema as a full TypeScript type with descriptions as comments.
 *
 * Untrusted: takes any value, never throws, never compiles a pattern or follows a reference outside the schema;
 * descriptions cannot leave their comment. What cannot be said is `unknown`, with a problem.
 */
export function renderTypeDeclaration(schema: unknown, options: TypeDeclarationOptions = {}): TypeDeclaration {
  const { indent = 0, maxChars = 16_000, maxDepth = 20, describesOutermost = true } = options;
  const { budget = { left: Infinity } } = options;
  const layers = LAYERS.filter((depth) => depth < maxDepth);
  const attempts = [
    { depth: maxDepth, isDescribed: true },
    ...[maxDepth, ...layers].map((depth) => ({ depth, isDescribed: false })),
  ];
  for (const { depth, isDescribed } of attempts) {
    const read = readType(schema, limitsFor(depth, options), budget);
    if (budget.left <= 0) break;
    if (read.findings.has("budget") && depth > 1) continue;
    const text = typeBlock(read.type, { indent, isDescribed, describesThis: describesOutermost });
    budget.left -= text.length / CHARS_PER_WORK;
    if (text.length <= maxChars) return declaration(read, text);
  }
  return { text: "unknown", problems: [TOO_LARGE], acceptsEmptyObject: true, acceptsObjects: true, outermost: [] };
}

function limitsFor(maxDepth: number, options: TypeDeclarationOptions): ReadLimits {
  return {
    maxDepth,
    maxProperties: MAX_PROPERTIES,
    maxNodes: MAX_NODES,
    maxLiterals: MAX_LITERALS,
    maxLiteralChars: MAX_LITERAL_CHARS,
    defaultsAreOptional: options.defaultsAreOptional ?? false,
  };
}

function declaration(read: ReadType, text: string): TypeDeclaration {
  const problems = Object.entries(PROBLEMS).filter(([finding]) => read.findings.has(finding as Finding));
  return {
    text,
    problems: [...new Set(problems.map(([, sentence]) => sentence))],
    acceptsEmptyObject: acceptsEmptyObject(read.type),
    acceptsObjects: acceptsObjects(read.type),
    outermost: read.type.type === "object" ? read.type.properties : [],
  };
}
