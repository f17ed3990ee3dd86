/** Any value JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document. Untrusted unless it comes from an installed host tool. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
