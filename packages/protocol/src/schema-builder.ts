// Invariant: every schema equals what typebox builds, its hidden keys included, so it is a TypeBox schema for whoever uses
// that library. Only its types are imported: its code is 700 modules, which every host and every worker would load.
import type { Static, TInteger, TRecord, TSchema, TString, Type as TypeBox } from "typebox";

export type { Static };

/** The part of typebox's `Type` that our schemas are made of. */
type Builder = Pick<
  typeof TypeBox,
  | "Array"
  | "Boolean"
  | "Enum"
  | "Integer"
  | "Literal"
  | "Number"
  | "Object"
  | "Optional"
  | "String"
  | "Union"
  | "Unknown"
  | "Unsafe"
> & {
  Record(key: TString, value: TInteger): TRecord<"^.*$", TInteger>;
};

type Keywords = Readonly<Record<string, unknown>>;

const builder = {
  Array: (items: TSchema, options?: Keywords) => build("Array", { type: "array", items }, options),
  Boolean: (options?: Keywords) => build("Boolean", { type: "boolean" }, options),
  Enum: (values: readonly unknown[], options?: Keywords) => build("Enum", { enum: values }, options),
  Integer: (options?: Keywords) => build("Integer", { type: "integer" }, options),
  Literal: (value: unknown, options?: Keywords) => build("Literal", { type: typeof value, const: value }, options),
  Number: (options?: Keywords) => build("Number", { type: "number" }, options),
  Object(properties: Readonly<Record<string, object>>, options?: Keywords) {
    const required = Object.keys(properties).filter((key) => !("~optional" in (properties[key] ?? {})));
    return build("Object", { type: "object", ...(required.length > 0 ? { required } : {}), properties }, options);
  },
  Optional: (schema: object) => hide(copy(schema), "~optional", true),
  Record: (_key: TString, value: TSchema) => build("Record", { type: "object", patternProperties: { "^.*$": value } }),
  String: (options?: Keywords) => build("String", { type: "string" }, options),
  Union: (anyOf: readonly TSchema[], options?: Keywords) => build("Union", { anyOf }, options),
  Unknown: (options?: Keywords) => build("Unknown", {}, options),
  Unsafe: (schema: object) => hide(copy(schema), "~unsafe", null),
};

/** Builds schemas as typebox does. */
export const Type = builder as unknown as Builder;

function build(kind: string, keywords: Keywords, options: Keywords = {}): object {
  return hide({ ...keywords, ...options }, "~kind", kind);
}

/** With the hidden keys, which a spread would lose. */
function copy(schema: object): object {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
}

function hide(schema: object, key: string, value: unknown): object {
  return Object.defineProperty(schema, key, { value, configurable: true, enumerable: false, writable: true });
}
