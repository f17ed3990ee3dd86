import { readOwn } from "@codemode/json-schema";
import type { CatalogEntry } from "./catalog-entry.js";

/** One field of an entry as the index reads it. */
export interface SearchField {
  readonly text: string;
  readonly kind: "name" | "summary" | "other";
  /** How much a word in this field counts. */
  readonly weight: number;
  /** How strongly a long field dilutes its words, 0 to 1. */
  readonly lengthEffect: number;
  /** Words of a usual field of the kind. */
  readonly usualWords: number;
}

const MAX_PARAMETERS = 40;
const MAX_CHOICES = 20;
const MAX_NAME_CHARS = 512;
const MAX_DESCRIPTION_CHARS = 4_000;
const MAX_SUMMARY_CHARS = 200;
/** Over the names of all parameters, and over all their texts. */
const MAX_PARAMETER_CHARS = 1_000;
/** Of one parameter's description, and of one of its choices. */
const MAX_PARAMETER_TEXT_CHARS = 300;

/**
 * Name, label, parameter names, description with its first sentence apart, and parameter texts, `maxChars` in all, leading
 * fields first. Untrusted text only ever becomes words, and the time spent is bounded however much of it there is.
 */
export function searchFields({ descriptor, label }: CatalogEntry, maxChars: number): readonly SearchField[] {
  const parameters = parametersOf(descriptor.parameters);
  const description = String(descriptor.description ?? "")
    .slice(0, MAX_DESCRIPTION_CHARS)
    .trimStart();
  const summary = firstSentence(description);
  const fields: readonly SearchField[] = [
    { text: descriptor.name.slice(0, MAX_NAME_CHARS), kind: "name", weight: 3, lengthEffect: 0.3, usualWords: 3 },
    { text: label ?? "", kind: "name", weight: 2, lengthEffect: 0.3, usualWords: 2 },
    { text: joined(parameters.names), kind: "other", weight: 0.7, lengthEffect: 0.6, usualWords: 5 },
    { text: summary, kind: "summary", weight: 1, lengthEffect: 0.5, usualWords: 10 },
    { text: description.slice(summary.length), kind: "other", weight: 0.7, lengthEffect: 0.5, usualWords: 20 },
    { text: joined(parameters.texts), kind: "other", weight: 0.4, lengthEffect: 0.6, usualWords: 30 },
  ];
  let charsLeft = maxChars;
  return fields.map((field) => {
    const text = field.text.slice(0, charsLeft);
    charsLeft -= text.length;
    return { ...field, text };
  });
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?]\s|\n/);
  return text.slice(0, Math.min(MAX_SUMMARY_CHARS, end < 0 ? text.length : end + 1));
}

function joined(texts: readonly string[]): string {
  return texts
    .map((text) => text.slice(0, MAX_PARAMETER_TEXT_CHARS))
    .join(" ")
    .slice(0, MAX_PARAMETER_CHARS);
}

/** Names of the top-level parameters; their descriptions and values to choose from. */
function parametersOf(schema: unknown): { readonly names: readonly string[]; readonly texts: readonly string[] } {
  const properties = read(schema, "properties");
  if (typeof properties !== "object" || properties === null) return { names: [], texts: [] };
  const names = Object.keys(properties).slice(0, MAX_PARAMETERS);
  const texts = names.flatMap((name) => {
    const parameter = read(properties, name);
    const values = read(parameter, "enum");
    const choices: readonly unknown[] = Array.isArray(values) ? values.slice(0, MAX_CHOICES) : [];
    return [read(parameter, "description"), ...choices].filter((text) => typeof text === "string");
  });
  return { names, texts };
}

/** An own data property, so that an untrusted schema runs no code. */
function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? readOwn(value, key) : undefined;
}
