import type { SourceToken } from "./source-tokens.js";

export const OPENING = new Set(["(", "[", "{", "${"]);
export const CLOSING = new Set([")", "]", "}"]);

/** By opening bracket: the index of the one that closes it, or of the end. */
export function closingsOf(tokens: readonly SourceToken[]): Uint32Array {
  const closings = new Uint32Array(tokens.length).fill(tokens.length);
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (OPENING.has(text)) open.push(index);
    else if (CLOSING.has(text)) {
      const opened = open.pop();
      if (opened !== undefined) closings[opened] = index;
    }
  }
  return closings;
}
