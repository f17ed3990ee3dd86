import { INVISIBLE, shorten } from "./text.js";

/** Line breaks of every kind, those that JavaScript knows and those that only a terminal does. */
const LINE_BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/u;

export interface CommentLimits {
  readonly maxLines: number;
  /** Over all lines, in UTF-16 units. */
  readonly maxChars: number;
}

/**
 * Untrusted text as lines that are safe inside a block comment: no line break, no end of comment, no invisible
 * character, and no leading `@` that would read as a tag. Ends with an ellipsis when cut. Blank lines are dropped.
 */
export function commentLines(text: string, limits: CommentLimits): readonly string[] {
  const kept = shorten(text.trim(), limits.maxChars);
  const lines = kept
    .split(LINE_BREAK)
    .map(cleanLine)
    .filter((line) => line !== "");
  if (lines.length <= limits.maxLines) return lines;
  return [...lines.slice(0, limits.maxLines - 1), "…"];
}

/** Untrusted text as one line that is safe inside any comment; empty when nothing visible is left. */
export function commentLine(text: string, maxChars: number): string {
  return commentLines(text, { maxLines: Number.MAX_SAFE_INTEGER, maxChars })
    .filter((line) => line !== "")
    .join(" ");
}

function cleanLine(line: string): string {
  return line.replace(INVISIBLE, "").replaceAll("\t", " ").trim().replaceAll("*/", "*\\/").replace(/^@/, "\\@");
}
