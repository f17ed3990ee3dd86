/** A regular expression as a tree. Groups capture nothing here: only whether a text matches is asked. */
export type PatternNode =
  | { readonly kind: "character"; matches(character: string): boolean }
  | { readonly kind: "assert"; readonly assertion: Assertion }
  | { readonly kind: "ahead"; readonly body: PatternNode; readonly isNegated: boolean }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly body: PatternNode; readonly min: number; readonly max: number };

export type Assertion = "start" | "end" | "boundary" | "no-boundary";

/** Thrown inside this folder's pattern compiler only; `message` completes "the pattern …". */
export class UnsupportedPattern extends Error {
  override readonly name = "UnsupportedPattern";
}

interface Cursor {
  readonly source: string;
  readonly isUnicode: boolean;
  position: number;
  depth: number;
}

const MAX_GROUP_DEPTH = 64;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const UNICODE_ESCAPE =
  /\\(?:u\{[0-9A-Fa-f]+\}|u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[\s\S])/uy;
const LEGACY_ESCAPE = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[\s\S])/y;

/** Parses an expression that the engine has accepted already. @throws {UnsupportedPattern} */
export function parsePattern(source: string, isUnicode: boolean): PatternNode {
  return parseChoice({ source, isUnicode, position: 0, depth: 0 });
}

function parseChoice(cursor: Cursor): PatternNode {
  const options: PatternNode[] = [];
  do options.push(parseSequence(cursor));
  while (take(cursor, "|"));
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: "choice", parts: options };
}

function parseSequence(cursor: Cursor): PatternNode {
  const parts: PatternNode[] = [];
  while (cursor.position < cursor.source.length && !/[|)]/.test(peek(cursor))) {
    parts.push(parseQuantified(cursor));
  }
  return { kind: "sequence", parts };
}

function parseQuantified(cursor: Cursor): PatternNode {
  const body = parseTerm(cursor);
  const found = takeMatch(cursor, QUANTIFIER);
  if (found === undefined) return body;
  const sign = found[0].charAt(0);
  if (sign !== "{") return { kind: "repeat", body, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
  const min = Number(found[1]);
  const max = found[2] === "" ? min : found[3] === "" ? Infinity : Number(found[3]);
  return { kind: "repeat", body, min, max };
}

function parseTerm(cursor: Cursor): PatternNode {
  if (take(cursor, "^")) return { kind: "assert", assertion: "start" };
  if (take(cursor, "$")) return { kind: "assert", assertion: "end" };
  if (take(cursor, "(")) return parseGroup(cursor);
  if (peek(cursor) === "\\") return parseEscape(cursor);
  if (peek(cursor) === "[") return native(takeClass(cursor), cursor);
  if (take(cursor, ".")) return native(".", cursor);
  const literal = nextCharacter(cursor);
  cursor.position += literal.length;
  return { kind: "character", matches: (character) => character === literal };
}

function parseGroup(cursor: Cursor): PatternNode {
  if (cursor.depth >= MAX_GROUP_DEPTH) throw new UnsupportedPattern(`nests groups deeper than ${MAX_GROUP_DEPTH}`);
  const opening = takeMatch(cursor, /\?(?:<?[=!]|:|<[^>]*>)/y)?.[0] ?? "";
  if (opening === "?<=" || opening === "?<!") throw new UnsupportedPattern("looks behind");
  if (opening === "" && peek(cursor) === "?") throw new UnsupportedPattern("uses modifiers");
  cursor.depth += 1;
  const body = parseChoice(cursor);
  cursor.depth -= 1;
  take(cursor, ")");
  return opening === "?=" || opening === "?!" ? { kind: "ahead", body, isNegated: opening === "?!" } : body;
}

function parseEscape(cursor: Cursor): PatternNode {
  const escape = takeMatch(cursor, cursor.isUnicode ? UNICODE_ESCAPE : LEGACY_ESCAPE)?.[0] ?? "";
  if (escape === "\\b") return { kind: "assert", assertion: "boundary" };
  if (escape === "\\B") return { kind: "assert", assertion: "no-boundary" };
  if (escape === "\\c" || escape === "") throw new UnsupportedPattern("has an incomplete escape");
  if (/^\\[1-9k]/.test(escape)) throw new UnsupportedPattern("refers back to a group");
  if (escape === "\\0" && /[0-9]/.test(peek(cursor))) throw new UnsupportedPattern("uses an octal escape");
  return native(escape, cursor);
}

/** A class or escape, left to the engine's own matcher, which is asked about one character at a time. */
function native(source: string, cursor: Cursor): PatternNode {
  const expression = new RegExp(`^(?:${source})$`, cursor.isUnicode ? "u" : "");
  return { kind: "character", matches: (character) => expression.test(character) };
}

function takeClass(cursor: Cursor): string {
  const start = cursor.position;
  for (cursor.position += 1; peek(cursor) !== "]"; cursor.position += 1) {
    if (peek(cursor) === "\\") cursor.position += 1;
  }
  cursor.position += 1;
  return cursor.source.slice(start, cursor.position);
}

function peek(cursor: Cursor): string {
  return cursor.source.charAt(cursor.position);
}

function nextCharacter(cursor: Cursor): string {
  if (!cursor.isUnicode) return peek(cursor);
  return String.fromCodePoint(cursor.source.codePointAt(cursor.position) ?? 0);
}

function take(cursor: Cursor, character: string): boolean {
  if (peek(cursor) !== character) return false;
  cursor.position += 1;
  return true;
}

function takeMatch(cursor: Cursor, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = cursor.position;
  const found = expression.exec(cursor.source);
  if (found === null) return undefined;
  cursor.position += found[0].length;
  return found;
}
