import { CodeModeError, describeValue } from "@codemode/protocol";
import type { Detector, TextSpan } from "./spans-of-text.js";

export interface RedactionOptions {
  /** Texts that must never be shown, in any spelling a program would use. Shorter ones than 3 characters are ignored. */
  readonly secrets?: readonly string[];
  /**
   * What they match is masked. A text is the source of an expression. Trusted: an expression that backtracks without end
   * blocks the caller.
   */
  readonly patterns?: readonly (RegExp | string)[];
}

const MIN_SECRET_CHARS = 3;

/** Finds what a host has registered. @throws {CodeModeError} `invalid_argument` for a pattern that is no regular expression. */
export function findConfigured({ secrets = [], patterns = [] }: RedactionOptions): Detector {
  const spellings = [...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_CHARS).flatMap(spellingsOf))];
  const expressions = patterns.map(asExpression);
  return (text) => [
    ...spellings.flatMap((spelling) => occurrencesOf(text, spelling)),
    ...expressions.flatMap((expression) => matchesOf(text, expression)),
  ];
}

/** As it is, within a JSON text or a string literal, and within a URL. */
function spellingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inSingleQuotes = secret.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return [secret, inJson, inSingleQuotes, ...(isWellFormed(secret) ? [encodeURIComponent(secret)] : [])];
}

/** Half a surrogate pair cannot stand in a URL. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function occurrencesOf(text: string, wanted: string): TextSpan[] {
  const spans: TextSpan[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

/** Empty matches are left out. */
function matchesOf(text: string, expression: RegExp): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const { index, 0: found } of text.matchAll(expression)) {
    if (found !== "") spans.push({ start: index, end: index + found.length });
  }
  return spans;
}

function asExpression(pattern: RegExp | string, index: number): RegExp {
  try {
    if (typeof pattern === "string") return new RegExp(pattern, "g");
    return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`);
  } catch {
    const path = `patterns[${index}]`;
    const problem = `must be a regular expression, not ${describeValue(pattern)}`;
    throw new CodeModeError("invalid_argument", `${path}: ${problem}.`, { path, problem });
  }
}
