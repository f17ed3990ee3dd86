import { propertyKey } from "./text.js";
import type { CutReason, ObjectType, SchemaType, TupleType } from "./schema-type.js";

/** How types are printed on one line. */
export interface TypeStyle {
  /** `Array<T>` or `T[]`. */
  readonly arrays: "generic" | "suffix";
  /** Whether bounds and formats follow as comments. */
  readonly hasNotes: boolean;
  /** Properties that were left out: `...`, or an index signature, which a compiler understands. */
  readonly omitted: "dots" | "index";
  /** What stands for a part that was cut. */
  cutText(reason: CutReason): string;
}

/** One line of TypeScript for the type. The text holds no line break and no comment but notes. */
export function typeText(type: SchemaType, style: TypeStyle): string {
  switch (type.type) {
    case "unknown":
    case "never":
      return type.type;
    case "cut":
      return style.cutText(type.reason);
    case "scalar":
      return style.hasNotes && type.note !== undefined ? `${type.name} /* ${type.note} */` : type.name;
    case "literal":
      return type.text;
    case "array":
      return arrayText(type.items, style);
    case "tuple":
      return tupleText(type, style);
    case "object":
      return objectText(type, style);
    case "union":
      return type.members.map((member) => typeText(member, style)).join(" | ");
    case "intersection":
      return type.members.map((member) => grouped(member, style, ["union"])).join(" & ");
  }
}

function arrayText(items: SchemaType, style: TypeStyle): string {
  if (style.arrays === "generic") return `Array<${typeText(items, style)}>`;
  return `${grouped(items, style, ["union", "intersection"])}[]`;
}

function tupleText(type: TupleType, style: TypeStyle): string {
  const items = type.items.map(({ item, isOptional }) =>
    isOptional ? `${grouped(item, style, ["union", "intersection"])}?` : typeText(item, style),
  );
  if (type.rest !== undefined) items.push(`...${arrayText(type.rest, style)}`);
  return `[${items.join(", ")}]`;
}

function objectText(type: ObjectType, style: TypeStyle): string {
  const parts = type.properties.map(
    (property) => `${propertyKey(property.name)}${property.isOptional ? "?" : ""}: ${typeText(property.value, style)}`,
  );
  if (type.omitted > 0 && style.omitted === "index") parts.push(`[key: string]: unknown /* ${type.omitted} more */`);
  else if (type.index !== undefined) parts.push(`[key: string]: ${typeText(type.index, style)}`);
  if (type.omitted > 0 && style.omitted === "dots") parts.push("...");
  return parts.length === 0 ? "{}" : `{ ${parts.join("; ")} }`;
}

/** The line in parentheses where the type's own operator would otherwise bind wrongly. */
function grouped(type: SchemaType, style: TypeStyle, kinds: readonly SchemaType["type"][]): string {
  const text = typeText(type, style);
  return kinds.includes(type.type) ? `(${text})` : text;
}
