import { credentialName, isAnnouncement, isOpaque } from "./credential-names.js";
import type { TextSpan } from "./spans-of-text.js";

/** A name in quotes or not, `:` or `=`, and a value in quotes; any of the quotes may be escaped. */
const QUOTED =
  /(?<![\w$-])(?<name>[A-Za-z_$][\w$-]*)(?:\\{0,3}["'`])?\s*[:=]\s*\\{0,3}["'`](?<value>(?:(?!["'`]|\$\{|\\{1,3}["'`])[^\r\n])*)/g;

/** A name, `=` or `:`, and a value without quotes or blanks. */
const BARE = /(?<![\w$-])(?<name>[A-Za-z_$][\w$-]*)\s*(?<sign>[:=])[ \t]*(?<value>[^\s"'`,;&(){}[\]<>$\\*]+)/g;

/** An option of a command with its value after a blank. */
const OPTION = /(?<![\w-])--(?<name>[A-Za-z][\w-]*)[ \t]+(?<value>[^\s"'`$\\*-][^\s"'`$\\*]*)/g;

/** `name: "value"` in any text: source that cannot be read as such, JSON within a string, code within a comment. */
export function findQuotedAssignments(text: string): TextSpan[] {
  return assignments(text, QUOTED, (name, value) => credentialName(name) === "strict" || isOpaque(value));
}

/** `name=value`, `name: value` and `--name value` in a text that is no program. A weak value after a colon is prose. */
export function findBareAssignments(text: string): TextSpan[] {
  return [
    ...assignments(text, BARE, (_name, value, sign) => sign === "=" || isOpaque(value)),
    ...assignments(text, OPTION, () => true),
  ];
}

type IsCredential = (name: string, value: string, sign: string | undefined) => boolean;

function assignments(text: string, pattern: RegExp, isCredential: IsCredential): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const { name = "", value = "", sign } = match.groups ?? {};
    if (isAnnouncement(value) || credentialName(name) === undefined || !isCredential(name, value, sign)) continue;
    const end = match.index + match[0].length;
    spans.push({ start: end - value.length, end });
  }
  return spans;
}
