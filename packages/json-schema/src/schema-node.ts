/** A schema object. Its keywords are read with `readOwn` only: own data properties, never getters or prototypes. */
export interface SchemaNode {
  readonly [keyword: string]: unknown;
}

/** A schema: a node, or a boolean (anything, nothing). */
export type Schema = SchemaNode | boolean;

/** The value as a schema; undefined when it cannot be one. */
export function asSchema(value: unknown): Schema | undefined {
  if (typeof value === "boolean") return value;
  return isNode(value) ? value : undefined;
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own data property; undefined for anything inherited or computed, so an untrusted schema runs no code. */
export function readOwn(node: object, key: string): unknown {
  if (!Object.hasOwn(node, key)) return undefined;
  const property = Object.getOwnPropertyDescriptor(node, key);
  return property !== undefined && "value" in property ? (property.value as unknown) : undefined;
}

export function hasOwn(node: object, key: string): boolean {
  return Object.hasOwn(node, key);
}

export function readString(node: object, key: string): string | undefined {
  const value = readOwn(node, key);
  return typeof value === "string" ? value : undefined;
}

/** A finite number. */
export function readNumber(node: object, key: string): number | undefined {
  const value = readOwn(node, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function readList(node: object, key: string): readonly unknown[] | undefined {
  const value = readOwn(node, key);
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function readNode(node: object, key: string): SchemaNode | undefined {
  const value = readOwn(node, key);
  return isNode(value) ? value : undefined;
}

/** The strings of a list keyword, each once; none when the keyword is malformed. */
export function readStrings(node: object, key: string): readonly string[] {
  const strings = (readList(node, key) ?? []).filter((item): item is string => typeof item === "string");
  return [...new Set(strings)];
}
