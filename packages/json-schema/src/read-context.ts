import type { Budget } from "./pattern-automaton.js";
import type { References } from "./references.js";
import type { CutReason, SchemaType } from "./schema-type.js";

/** Bounds of one reading of a schema. */
export interface ReadLimits {
  /** Object layers whose properties are read; deeper ones are cut. */
  readonly maxDepth: number;
  /** Properties read per object; further ones are only counted. */
  readonly maxProperties: number;
  /** Schema nodes read in all; a schema that refers to itself again and again ends here. */
  readonly maxNodes: number;
  /** Values of one `enum` that are printed as literals. */
  readonly maxLiterals: number;
  /** Characters of one literal, and of all literals of one `enum` together. */
  readonly maxLiteralChars: number;
  /** Whether a required property with a default counts as optional; holds through nested objects only. */
  readonly defaultsAreOptional: boolean;
}

/**
 * What a reader of the type should know: a place was cut, an object allows keys that it does not name, or the schema
 * demands something the type does not show.
 */
export type Finding = CutReason | "open" | "dropped";

/** Where the reading stands. */
export interface Place {
  /** Object layers around this place. */
  readonly depth: number;
  /** Schema nodes around this place. */
  readonly nesting: number;
  /** Whether an `unevaluatedProperties: false` around this place closes it. */
  readonly isClosedAround: boolean;
  readonly hasDefaultsApplied: boolean;
}

/** State of one reading. */
export interface ReadContext {
  readonly limits: ReadLimits;
  readonly references: References;
  readonly findings: Set<Finding>;
  /** Schema objects around the current place, by identity. */
  readonly active: Set<object>;
  nodesLeft: number;
  /** Work of this and other readings; none left reads as no nodes left. */
  readonly work: Budget;
  /** Reads one schema; the readers of objects and arrays come back through it. */
  read(schema: unknown, place: Place): SchemaType;
}

export function cut(context: ReadContext, reason: CutReason): SchemaType {
  context.findings.add(reason);
  return { type: "cut", reason };
}
