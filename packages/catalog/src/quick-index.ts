import type { Catalog } from "./catalog.js";
import type { CatalogEntry } from "./catalog-entry.js";
import { compareText } from "./callable-name.js";

export interface QuickIndexOptions {
  /** Longest text, heading and footer included, in UTF-16 units. Default 8_000. Too few for these: no text at all. */
  readonly maxChars?: number;
}

const HEADING = [
  "Global async functions; each takes one object. A line is: name, input -> what it resolves to.",
  "`-> ?` is an unknown output: return that value unchanged first, use its fields in a later exec.",
];

/**
 * The list of callable names with input and output hints that goes into a prompt: declared outputs first, then by
 * name, as many lines as fit; a footer counts those left out. Empty for an empty catalog, and where the heading does not fit.
 *
 * Stable for equal catalogs. Holds no description and nothing from client schemas.
 */
export function quickIndex(catalog: Catalog, options: QuickIndexOptions = {}): string {
  if (catalog.entries.length === 0) return "";
  const maxChars = options.maxChars ?? 8_000;
  const ordered = [...catalog.entries].sort(
    (left, right) => rank(left) - rank(right) || compareText(left.callableName, right.callableName),
  );
  const all = ordered.map(lineOf);
  const whole = [...HEADING, ...all].join("\n");
  if (whole.length <= maxChars) return whole;
  return packed(all, maxChars);
}

function rank(entry: CatalogEntry): number {
  return entry.output === undefined ? 1 : 0;
}

function lineOf(entry: CatalogEntry): string {
  return `- ${entry.callableName} ${entry.input} -> ${entry.output ?? "?"}`;
}

/** Greedy: a line that does not fit is left out, a shorter one after it may still fit. */
function packed(lines: readonly string[], maxChars: number): string {
  const kept: string[] = [...HEADING];
  let charsLeft = maxChars - HEADING.join("\n").length - 1 - footer(lines.length).length;
  if (charsLeft < 0) return "";
  let omitted = 0;
  for (const line of lines) {
    if (line.length + 1 <= charsLeft) {
      kept.push(line);
      charsLeft -= line.length + 1;
    } else omitted += 1;
  }
  return [...kept, footer(omitted)].join("\n");
}

function footer(omitted: number): string {
  return `(${omitted} more ${omitted === 1 ? "tool" : "tools"}: find them with catalog.search.)`;
}
