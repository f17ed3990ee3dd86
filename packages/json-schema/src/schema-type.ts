/** A JSON Schema read as a type: the bounded middle form that both renderers print. */
export type SchemaType =
  | { readonly type: "unknown" | "never" }
  | { readonly type: "cut"; readonly reason: CutReason }
  | ScalarType
  | { readonly type: "literal"; readonly text: string }
  | { readonly type: "array"; readonly items: SchemaType }
  | TupleType
  | ObjectType
  | { readonly type: "union" | "intersection"; readonly members: readonly SchemaType[] };

/** Why a place is `unknown` though the schema says more. `budget`: the nodes of the whole reading were used up. */
export type CutReason = "depth" | "size" | "budget" | "recursive" | "unresolved" | "unsupported";

export interface ScalarType {
  readonly type: "scalar";
  readonly name: "string" | "number" | "boolean" | "null";
  /** Bounds, as text that is safe in a comment. */
  readonly note?: string;
}

export interface TupleType {
  readonly type: "tuple";
  readonly items: readonly { readonly item: SchemaType; readonly isOptional: boolean }[];
  readonly rest?: SchemaType;
}

export interface ObjectType {
  readonly type: "object";
  /** Required ones first, otherwise in the schema's order. */
  readonly properties: readonly PropertyType[];
  /** Type of every other key, when the schema speaks of them. */
  readonly index?: SchemaType;
  /** Properties left out because there were too many. */
  readonly omitted: number;
}

export interface PropertyType {
  readonly name: string;
  readonly value: SchemaType;
  readonly isOptional: boolean;
  /** Untrusted text. */
  readonly description?: string;
  /** The default as a literal; untrusted text. */
  readonly defaultText?: string;
}

export const UNKNOWN: SchemaType = { type: "unknown" };
export const NEVER: SchemaType = { type: "never" };
export const NULL: SchemaType = { type: "scalar", name: "null" };

/** Most combinations a checker has to expand for one intersection of unions. */
const MAX_COMBINATIONS = 1_000;

/** A or B. What is unknown absorbs the rest; a cut does too, and stays visible. */
export function unionOf(members: readonly SchemaType[]): SchemaType {
  const flat = members.flatMap((member) => (member.type === "union" ? member.members : [member]));
  const absorbing = flat.find((member) => member.type === "unknown") ?? flat.find((member) => member.type === "cut");
  if (absorbing !== undefined) return absorbing;
  const distinct = distinctTypes(flat.filter((member) => member.type !== "never"));
  const [first] = distinct;
  if (first === undefined) return NEVER;
  return distinct.length === 1 ? first : { type: "union", members: distinct };
}

/**
 * A and B. What is unknown adds nothing and `never` wins. Undefined when the members are unions whose combinations
 * would be too many for a type checker.
 */
export function intersectionOf(members: readonly SchemaType[]): SchemaType | undefined {
  const flat = members.flatMap((member) => (member.type === "intersection" ? member.members : [member]));
  if (flat.some((member) => member.type === "never")) return NEVER;
  const telling = distinctTypes(flat.filter((member) => member.type !== "unknown" && member.type !== "cut"));
  const [first] = telling;
  if (first === undefined) return flat.find((member) => member.type === "cut") ?? UNKNOWN;
  if (telling.length === 1) return first;
  const combinations = telling.reduce(
    (product, member) => product * (member.type === "union" ? member.members.length : 1),
    1,
  );
  return combinations > MAX_COMBINATIONS ? undefined : { type: "intersection", members: telling };
}

/** Whether `{}` satisfies the type, so that a caller may leave the value out. */
export function acceptsEmptyObject(type: SchemaType): boolean {
  switch (type.type) {
    case "unknown":
    case "cut":
      return true;
    case "object":
      return type.properties.every((property) => property.isOptional);
    case "union":
      return type.members.some(acceptsEmptyObject);
    case "intersection":
      return type.members.every(acceptsEmptyObject);
    default:
      return false;
  }
}

/** Whether some object may satisfy the type. */
export function acceptsObjects(type: SchemaType): boolean {
  switch (type.type) {
    case "unknown":
    case "cut":
    case "object":
      return true;
    case "union":
      return type.members.some(acceptsObjects);
    case "intersection":
      return type.members.every(acceptsObjects);
    default:
      return false;
  }
}

function distinctTypes(types: readonly SchemaType[]): readonly SchemaType[] {
  const seen = new Set<string>();
  return types.filter((type) => {
    const key = type.type === "literal" ? type.text : type.type === "scalar" ? `${type.name} ${type.note ?? ""}` : "";
    if (key === "" || !seen.has(key)) {
      if (key !== "") seen.add(key);
      return true;
    }
    return false;
  });
}
