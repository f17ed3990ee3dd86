import { TraceMap, traceSegment } from "@jridgewell/trace-mapping";
import type { EnginePosition, PreparedSource, SourceLocation } from "@codemode/protocol";

// Invariant: three ways to count lines meet here. A reader of the submitted text knows LF, CRLF and CR; a source map
// follows ECMAScript (U+2028 and U+2029 too); the engine counts LF in `code`, where `engineNewlines` left no other.
const TEXT_BREAK = /\r\n|\r|\n/g;
const SOURCE_MAP_BREAK = /\r\n|[\r\n\u2028\u2029]/g;
const ENGINE_BREAK = /\n/g;

/** Location of an offset (UTF-16) in the submitted text; offsets past the end give the end. */
export function locationOf(text: string, offset: number): SourceLocation {
  const place = Math.min(offset, text.length);
  const { line, start } = lineOf(text, place, TEXT_BREAK);
  return { line: line + 1, column: place - start + 1 };
}

/** Location in the submitted text of a position that the engine reports; undefined where nothing corresponds to it. */
export function resolvePosition(prepared: PreparedSource, position: EnginePosition): SourceLocation | undefined {
  const offset = engineOffset(prepared.code, position);
  return offset === undefined ? undefined : locationInSubmitted(prepared, offset);
}

/** Location in the submitted text of an offset in `code`; undefined where nothing corresponds to it. */
export function locationInSubmitted(prepared: PreparedSource, offset: number): SourceLocation | undefined {
  const submittedOffset = offsetInSubmitted(prepared, offsetBeforeInsertions(prepared, offset));
  return submittedOffset === undefined ? undefined : locationOf(prepared.submitted, submittedOffset);
}

/** Offset in the submitted text of an offset in the JavaScript before insertions. */
export function offsetInSubmitted(prepared: PreparedSource, offset: number): number | undefined {
  const { submitted, sourceMap } = prepared;
  if (sourceMap === undefined) return offset;
  const compiled = textBeforeInsertions(prepared);
  const generated = lineOf(compiled, Math.min(offset, compiled.length), SOURCE_MAP_BREAK);
  const segment = traceSegment(new TraceMap(sourceMap), generated.line, offset - generated.start);
  if (segment === null || segment.length === 1) return undefined;
  const anchor = startOfLine(submitted, segment[2], SOURCE_MAP_BREAK) + segment[3];
  const generatedAnchor = generated.start + segment[0];
  // Mappings are per syntax node; inside a stretch that was copied literally the distance carries over.
  const isCopied = submitted.startsWith(compiled.slice(generatedAnchor, offset), anchor);
  return isCopied ? anchor + offset - generatedAnchor : anchor;
}

/** Offset of an engine position; undefined outside the text, as in what stands around a cell. */
export function engineOffset(code: string, { line, columnBytes }: EnginePosition): number | undefined {
  if (line < 1 || columnBytes < 1) return undefined;
  const start = startOfLine(code, line - 1, ENGINE_BREAK);
  if (start > code.length) return undefined;
  let offset = start;
  for (let bytes = columnBytes - 1; bytes > 0 && offset < code.length;) {
    const point = code.codePointAt(offset) ?? 0;
    bytes -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes >= 0) offset += point < 0x10000 ? 1 : 2;
  }
  return offset;
}

function offsetBeforeInsertions({ insertions }: Pick<PreparedSource, "insertions">, offset: number): number {
  let inserted = 0;
  for (const insertion of insertions) {
    if (insertion.offset < offset) inserted += Math.min(insertion.length, offset - insertion.offset);
  }
  return offset - inserted;
}

function textBeforeInsertions({ code, insertions }: Pick<PreparedSource, "code" | "insertions">): string {
  let text = "";
  let taken = 0;
  for (const { offset, length } of insertions) {
    text += code.slice(taken, offset);
    taken = offset + length;
  }
  return text + code.slice(taken);
}

/** Number (from 0) and start of the line that holds an offset. */
function lineOf(text: string, offset: number, lineBreak: RegExp): { line: number; start: number } {
  let line = 0;
  let start = 0;
  for (const match of text.matchAll(lineBreak)) {
    const next = match.index + match[0].length;
    if (next > offset) break;
    line += 1;
    start = next;
  }
  return { line, start };
}

/** Start of a line (from 0); past the end when there are fewer lines. */
function startOfLine(text: string, line: number, lineBreak: RegExp): number {
  if (line <= 0) return 0;
  let remaining = line;
  for (const match of text.matchAll(lineBreak)) {
    remaining -= 1;
    if (remaining === 0) return match.index + match[0].length;
  }
  return text.length + 1;
}
