import { applyEdits, blank } from "./edits.js";

// The look-ahead keeps a long line of tildes from being tried at every length.
const OPENING = /^\s*(`{3,}|~{3,}(?!~))[^`\r\n]*(?:\r\n|\r|\n)/;
const CLOSING = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

/**
 * Blanks a Markdown code fence around the whole text; positions stay as they are. A fence that is never closed reaches
 * to the end, as in Markdown. A source that is not fenced comes back unchanged.
 */
export function blankFence(source: string): string {
  const opening = OPENING.exec(source);
  const marker = opening?.[1];
  if (opening === null || marker === undefined) return source;
  const edits = [blank(source, 0, opening[0].length)];
  const end = source.trimEnd().length;
  const lastLine = Math.max(source.lastIndexOf("\n", end - 1), source.lastIndexOf("\r", end - 1)) + 1;
  const closing = CLOSING.exec(source.slice(lastLine, end))?.[1];
  const isClosed = lastLine >= opening[0].length && closing?.startsWith(marker) === true;
  if (isClosed) edits.push(blank(source, lastLine, end));
  return applyEdits(source, edits).code;
}
