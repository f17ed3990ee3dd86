import { commentLine, commentLines } from "./comment-text.js";
import { propertyKey } from "./text.js";
import type { CutReason, ObjectType, PropertyType, SchemaType } from "./schema-type.js";
import { typeText, type TypeStyle } from "./type-text.js";

const MAX_LINE_CHARS = 88;
const MAX_DEFAULT_CHARS = 120;
const DESCRIPTION = { maxLines: 4, maxChars: 240 };

const CUTS: readonly CutReason[] = ["depth", "size", "budget"];
const STYLE: TypeStyle = {
  arrays: "suffix",
  hasNotes: true,
  omitted: "index",
  cutText: (reason: CutReason) => `unknown /* ${CUTS.includes(reason) ? "cut" : reason} */`,
};

/** How a type is laid out over lines. */
export interface Layout {
  /** Spaces before each further line. */
  readonly indent: number;
  /** Whether properties carry their descriptions as comments. */
  readonly isDescribed: boolean;
  /** Whether the properties of the outermost object do. */
  readonly describesThis: boolean;
}

/** The type on one line while it is short and needs no comment, else with one property per line. */
export function typeBlock(type: SchemaType, layout: Layout): string {
  switch (type.type) {
    case "array":
      return `${grouped(type.items, layout, ["union", "intersection"])}[]`;
    case "object":
      return objectBlock(type, layout);
    case "union":
      return type.members.map((member) => typeBlock(member, layout)).join(" | ");
    case "intersection":
      return type.members.map((member) => grouped(member, layout, ["union"])).join(" & ");
    default:
      return typeText(type, STYLE);
  }
}

function objectBlock(type: ObjectType, layout: Layout): string {
  const inner: Layout = { ...layout, indent: layout.indent + 2, describesThis: true };
  const members = type.properties.map((property) => ({
    comment: layout.isDescribed && layout.describesThis ? propertyComment(property) : [],
    text: `${propertyKey(property.name)}${property.isOptional ? "?" : ""}: ${typeBlock(property.value, inner)}`,
  }));
  const index = type.omitted > 0 ? `unknown /* ${type.omitted} more */` : type.index && typeBlock(type.index, inner);
  if (index !== undefined) members.push({ comment: [], text: `[key: string]: ${index}` });
  if (members.length === 0) return "{}";
  const line = `{ ${members.map((member) => member.text).join("; ")} }`;
  const isOneLine = !line.includes("\n") && members.every((member) => member.comment.length === 0);
  if (isOneLine && line.length + layout.indent <= MAX_LINE_CHARS) return line;
  const pad = " ".repeat(inner.indent);
  const lines = members.flatMap((member) => [...member.comment, `${member.text};`].map((part) => pad + part));
  return `{\n${lines.join("\n")}\n${" ".repeat(layout.indent)}}`;
}

function propertyComment(property: PropertyType): readonly string[] {
  const lines = [...commentLines(property.description ?? "", DESCRIPTION), ...defaultLine(property)];
  const [first] = lines;
  if (first === undefined) return [];
  if (lines.length === 1) return [`/** ${first} */`];
  return ["/**", ...lines.map((line) => ` * ${line}`), " */"];
}

function defaultLine(property: PropertyType): readonly string[] {
  return property.defaultText === undefined ? [] : [commentLine(`Default: ${property.defaultText}`, MAX_DEFAULT_CHARS)];
}

/** The block in parentheses where the type's own operator would otherwise bind wrongly. */
function grouped(type: SchemaType, layout: Layout, kinds: readonly SchemaType["type"][]): string {
  const text = typeBlock(type, layout);
  return kinds.includes(type.type) ? `(${text})` : text;
}
