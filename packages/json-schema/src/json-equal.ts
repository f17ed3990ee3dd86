import { readOwn } from "./schema-node.js";

const MAX_DEPTH = 200;

/**
 * A text that is the same for equal JSON values, whatever the order of their keys. Undefined below 200 levels.
 *
 * Numbers compare as numbers, so `1` and `1.0` are equal and `0` equals `-0`.
 */
export function canonicalText(value: unknown, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (depth >= MAX_DEPTH) return undefined;
  const parts: string[] = [];
  const keys = Array.isArray(value) ? undefined : Object.keys(value).sort();
  for (const key of keys ?? (value as readonly unknown[]).keys()) {
    const part = canonicalText(readOwn(value, String(key)), depth + 1);
    if (part === undefined) return undefined;
    parts.push(keys === undefined ? part : `${JSON.stringify(key)}:${part}`);
  }
  return keys === undefined ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}
