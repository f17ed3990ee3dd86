import { shortText } from "./short-text.js";
import { findCredentialLiterals } from "./credential-literals.js";
import { findInJoinedLiterals } from "./joined-literals.js";
import { findConfigured, type RedactionOptions } from "./redaction-options.js";
import { readTokens } from "./source-tokens.js";
import { maskSpans, MASK, type Detector, type TextSpan } from "./spans-of-text.js";
import { findBareAssignments, findQuotedAssignments } from "./text-credentials.js";
import { findTokenShapes } from "./token-shapes.js";

/** Longer texts are cut before they are masked, in UTF-16 units. */
export const MAX_REDACTED_CHARS = 4 * 1024 * 1024;

/** Masks texts for storage and display. Masking what is masked already changes nothing. */
export interface Redactor {
  /** Source of a cell: computations stay, and so does what is no credential. */
  source(source: string): string;
  /** Any other text: error messages, partial results, JSON. */
  text(text: string): string;
  /** Only what is beyond doubt: known token shapes, registered secrets, configured patterns. For texts somebody acts on. */
  evident(text: string): string;
}

/** @throws {CodeModeError} `invalid_argument` for a pattern that is no regular expression. */
export function createRedactor(options: RedactionOptions = {}): Redactor {
  const configured = findConfigured(options);
  const evident: Detector = (text) => [...findTokenShapes(text), ...configured(text)];
  return {
    source: (source) => untilStable(source, (text) => findInSource(text, evident)),
    text: (text) => untilStable(text, (given) => findInText(given, evident)),
    evident: (text) => untilStable(text, (given) => [...evident(given)]),
  };
}

/**
 * JavaScript or TypeScript source with its secrets masked: literals of credentials, known token shapes, registered secrets
 * and what matches configured patterns. Computations stay. What cannot be read as a program is masked like any text.
 *
 * The result is a record, no place to recover anything from. Stable: redacting it again changes nothing. Linear in the
 * length of the source, as far as the configured patterns are.
 *
 * @throws {CodeModeError} `invalid_argument` for a pattern that is no regular expression.
 */
export function redactSource(source: string, options: RedactionOptions = {}): string {
  return createRedactor(options).source(source);
}

/** Any other text with its secrets masked. @throws {CodeModeError} as `redactSource`. */
export function redactText(text: string, options: RedactionOptions = {}): string {
  return createRedactor(options).text(text);
}

const MAX_PASSES = 5;

/** Masks may bring together what was apart, so a text is masked until nothing is found; one that never ends so is masked whole. */
function untilStable(given: string, find: (text: string) => TextSpan[]): string {
  let text = shortText(given, MAX_REDACTED_CHARS);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const masked = maskSpans(text, find(text));
    if (masked === text) return masked;
    text = masked;
  }
  return MASK;
}

function findInText(text: string, evident: Detector): TextSpan[] {
  return [...evident(text), ...findQuotedAssignments(text), ...findBareAssignments(text)];
}

function findInSource(source: string, evident: Detector): TextSpan[] {
  const tokens = readTokens(source);
  const prose = tokens
    .filter(({ kind }) => kind === "string" || kind === "template" || kind === "comment" || kind === "regex")
    .flatMap(({ start, end }) => findBareAssignments(source.slice(start, end)).map((span) => moved(span, start)));
  return [
    ...evident(source),
    ...findQuotedAssignments(source),
    ...prose,
    ...findCredentialLiterals(source, tokens),
    ...findInJoinedLiterals(source, tokens, evident),
  ];
}

function moved({ start, end }: TextSpan, by: number): TextSpan {
  return { start: start + by, end: end + by };
}
