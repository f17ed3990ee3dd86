import { credentialName } from "./credential-names.js";
import type { Redactor } from "./redact-source.js";
import { shortText } from "./short-text.js";
import { MASK } from "./spans-of-text.js";

const MAX_DEPTH = 10;
const MAX_ITEMS = 200;
const MAX_STRING_CHARS = 1_000;

/**
 * A JSON value for people to look at: texts under a credential's name are masked, all others lose their secrets and are cut
 * at 1,000 characters; at most 200 items a level and 10 levels are kept, and what is left out is counted.
 */
export function redactValue(value: unknown, redactor: Redactor, depth = 0): unknown {
  // Cut with room to spare, so that no secret is cut in two.
  if (typeof value === "string")
    return shortText(redactor.text(shortText(value, 2 * MAX_STRING_CHARS)), MAX_STRING_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return "[deeper levels left out]";
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => redactValue(item, redactor, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  const entries = Object.entries(value);
  const shown = entries.slice(0, MAX_ITEMS).map(([name, item]: [string, unknown]) => {
    const isSecret = (typeof item === "string" || typeof item === "number") && credentialName(name) !== undefined;
    return [redactor.text(shortText(name, MAX_STRING_CHARS)), isSecret ? MASK : redactValue(item, redactor, depth + 1)];
  });
  if (entries.length > MAX_ITEMS) shown.push(["…", `[${entries.length - MAX_ITEMS} more]`]);
  return Object.fromEntries(shown) as unknown;
}
