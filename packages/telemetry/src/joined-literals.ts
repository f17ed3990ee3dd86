import type { Detector, TextSpan } from "./spans-of-text.js";
import type { SourceToken } from "./source-tokens.js";

const ESCAPE = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|\r\n|[\s\S])/gi;
const LINE_END = /[\n\r\u2028\u2029]/;
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", 0: "\0" };
const MAX_CODE_POINT = 0x10ffff;

/**
 * What a program spells so that its text alone does not show it: `"se" + "cret"` and `"\x73ecret"`. Literals are read as
 * their values, joined where nothing but `+` stands between them, and masked whole where the detector finds something.
 */
export function findInJoinedLiterals(source: string, tokens: readonly SourceToken[], detect: Detector): TextSpan[] {
  const spans: TextSpan[] = [];
  let chain: SourceToken[] = [];
  let isJoined = false;
  for (const token of tokens) {
    if (token.kind === "comment") continue;
    if (token.kind === "mark" && token.text === "+" && chain.length > 0) isJoined = true;
    else if (token.kind === "string" || token.kind === "template") {
      if (!isJoined) spans.push(...findInChain(source, chain.splice(0), detect));
      chain.push(token);
      isJoined = false;
    } else {
      spans.push(...findInChain(source, chain, detect));
      chain = [];
      isJoined = false;
    }
  }
  return [...spans, ...findInChain(source, chain, detect)];
}

function findInChain(source: string, chain: readonly SourceToken[], detect: Detector): TextSpan[] {
  const parts = chain.map(({ start, end }) => {
    const text = source.slice(start, end);
    return { start, end, value: valueOf(text), isPlain: !text.includes("\\") };
  });
  if (parts.length < 2 && parts.every(({ isPlain }) => isPlain)) return [];
  const found = [...detect(parts.map(({ value }) => value).join(""))];
  let at = 0;
  return parts.flatMap(({ start, end, value, isPlain }) => {
    const [from, to] = [at, at + value.length];
    at = to;
    // What lies within one literal without escapes is found in the source itself.
    const isHit = found.some(
      (span) => span.start < to && span.end > from && !(isPlain && span.start >= from && span.end <= to),
    );
    return isHit ? [{ start, end }] : [];
  });
}

function valueOf(literal: string): string {
  return literal.replace(ESCAPE, (escape: string) => {
    const digits = escape.slice(2).replace(/[{}]/g, "");
    if (/^\\[xu]./i.test(escape) && escape.length > 2) {
      return String.fromCodePoint(Math.min(Number.parseInt(digits, 16), MAX_CODE_POINT));
    }
    const other = escape.slice(1);
    return LINE_END.test(other) ? "" : (CONTROL[other] ?? other);
  });
}
