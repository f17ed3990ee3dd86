import { readOwn } from "./schema-node.js";

const MAX_DEPTH = 200;

/**
 * A text that is the same for equal JSON values, whatever the order of their keys. Takes its length from `room`, in
 * UTF-16 units; undefined, with a room below zero, when that is not enough. Undefined below 200 levels.
 *
 * Numbers compare as numbers, so `1` and `1.0` are equal and `0` equals `-0`.
 */
export function canonicalText(value: unknown, room = { chars: Infinity }, depth = 0): string | undefined {
  if (typeof value === "string") return take(room, value.length + 2) ? JSON.stringify(value) : undefined;
  if (typeof value !== "object" || value === null) return scalarText(room, JSON.stringify(value) ?? "undefined");
  if (depth >= MAX_DEPTH) return undefined;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  // Brackets, and a comma or so for each.
  if (!take(room, (keys ?? (value as readonly unknown[])).length + 1)) return undefined;
  const parts: string[] = [];
  for (const key of keys?.sort() ?? (value as readonly unknown[]).keys()) {
    if (keys !== undefined && !take(room, String(key).length + 3)) return undefined;
    const part = canonicalText(readOwn(value, String(key)), room, depth + 1);
    if (part === undefined) return undefined;
    parts.push(keys === undefined ? part : `${JSON.stringify(key)}:${part}`);
  }
  return keys === undefined ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

function scalarText(room: { chars: number }, text: string): string | undefined {
  return take(room, text.length) ? text : undefined;
}

function take(room: { chars: number }, chars: number): boolean {
  room.chars -= chars;
  return room.chars >= 0;
}
