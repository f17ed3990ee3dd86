import type { TextSpan } from "./spans-of-text.js";

/**
 * Credentials that say themselves what they are. Each expression starts where no such character stands before it or has a
 * bounded length, so that all are linear. A group named `secret` is what is masked, else the whole match.
 */
const SHAPES: readonly RegExp[] = [
  // Issued with a prefix of their own: models, code hosts, registries, clouds, payment, mail, chat, monitoring.
  /\bsk-(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\b(?:gh[pousr]_|npm_|hf_|gsk_|r8_|do[por]_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|sbp_|glsa_|dckr_pat_|rubygems_|figd_|tfp_|FLWSECK(?:_TEST)?-|NRAK-|PMAK-|pplx-|xai-|AGE-SECRET-KEY-1|dp\.pt\.|EAAC)[A-Za-z0-9]{20,}/g,
  /\b(?:gl(?:pat|dt|rt|ptt)-|pypi-|hv[sbr]\.|sq0[a-z]{3}-|whsec_|sntry[su]_|glc_|AT[AC]TT3)(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_+/=-]{20,}/g,
  /\bkey-[0-9a-f]{32}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bGOCSPX-[A-Za-z0-9_-]{20,}/g,
  /\bxox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}/g,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\b(?:AC|SK)[0-9a-f]{32}\b/g,
  /\b[0-9a-f]{32}-us\d{1,2}\b/g,
  /\bdapi[0-9a-f]{32}\b/g,
  /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/g,
  /\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}\b/g,
  /hooks\.slack\.com\/services\/(?<secret>[A-Za-z0-9_/]{20,})/g,
  /discord(?:app)?\.com\/api\/webhooks\/(?<secret>\d{10,}\/[A-Za-z0-9_-]{20,})/g,
  // JSON web tokens, signed or encrypted.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){1,3}/g,
  // What follows the scheme of an Authorization header.
  /\bBearer[ \t]{1,4}(?!(?:tokens?|auth\w{0,20}|schemes?|realm|credentials?|prefix|headers?)\b)(?<secret>[A-Za-z0-9._~+/=-]{6,})/gi,
  /\bBasic[ \t]{1,4}(?<secret>(?=[A-Za-z+/]{0,200}[0-9=])[A-Za-z0-9+/]{8,}={0,2})/g,
  // The password of a URL.
  /(?<=:\/\/[^\s/:@"'`]{0,100}:)(?<secret>[^\s/@"'`${}]{1,200})(?=@)/g,
];

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Spans of known token shapes, wherever they stand. */
export function findTokenShapes(text: string): TextSpan[] {
  return [...SHAPES.flatMap((shape) => matchesOf(text, shape)), ...findPrivateKeys(text)];
}

/** Matches of an expression with flag `g`; the group `secret` alone where it has one. Empty matches are left out. */
function matchesOf(text: string, pattern: RegExp): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.["secret"];
    // The group ends the match, or the match is nothing but the group.
    const length = secret === undefined ? match[0].length : secret.length;
    const start = match.index + match[0].length - length;
    if (length > 0) spans.push({ start, end: start + length });
  }
  return spans;
}

/** A key that has no end counts to the end of the text. */
function findPrivateKeys(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  for (let at = 0; ;) {
    KEY_BEGIN.lastIndex = at;
    const begin = KEY_BEGIN.exec(text);
    if (begin === null) return spans;
    KEY_END.lastIndex = begin.index;
    const found = KEY_END.exec(text);
    const end = found === null ? text.length : found.index + found[0].length;
    spans.push({ start: begin.index, end });
    at = end;
  }
}
