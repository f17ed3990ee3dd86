import { readOwn } from "@codemode/json-schema";
import type { CatalogEntry } from "./catalog.js";
import { wordsOf } from "./words.js";

/** One field of an entry as the index sees it. */
export interface SearchField {
  readonly words: readonly string[];
  /** How much a word in this field counts. */
  readonly weight: number;
  /** How strongly a long field dilutes its words, 0 to 1. */
  readonly lengthEffect: number;
  readonly isName: boolean;
}

const MAX_PARAMETERS = 40;
const MAX_CHOICES = 20;
const MAX_NAME_CHARS = 512;
const MAX_DESCRIPTION_CHARS = 4_000;
/** Over the names of all parameters, and over all their texts. */
const MAX_PARAMETER_CHARS = 1_000;
/** Of one parameter's description, and of one of its choices. */
const MAX_PARAMETER_TEXT_CHARS = 300;
const MAX_ENTRY_WORDS = 800;
/** Text read of all entries; when there is more, each entry has an equal share, its leading fields first. */
const MAX_INDEX_CHARS = 1_000_000;

type FieldText = Omit<SearchField, "words"> & { readonly text: string };

/**
 * Name, label, parameter names, description and parameter texts of each entry; the same fields for all. Untrusted text
 * only ever becomes words here, and the time spent is bounded however much of it there is.
 */
export function searchFields(entries: readonly CatalogEntry[]): readonly (readonly SearchField[])[] {
  const texts = entries.map(fieldTexts);
  const total = texts.flat().reduce((sum, { text }) => sum + text.length, 0);
  const share = total <= MAX_INDEX_CHARS ? Infinity : Math.floor(MAX_INDEX_CHARS / entries.length);
  return texts.map((fields) => withWords(fields, share));
}

function withWords(fields: readonly FieldText[], maxChars: number): readonly SearchField[] {
  let charsLeft = maxChars;
  let wordsLeft = MAX_ENTRY_WORDS;
  return fields.map(({ text, ...field }) => {
    const kept = text.slice(0, charsLeft);
    const words = wordsOf(kept).slice(0, wordsLeft);
    charsLeft -= kept.length;
    wordsLeft -= words.length;
    return { ...field, words };
  });
}

function fieldTexts({ descriptor, label }: CatalogEntry): readonly FieldText[] {
  const parameters = parametersOf(descriptor.parameters);
  const description = String(descriptor.description ?? "").slice(0, MAX_DESCRIPTION_CHARS);
  return [
    { text: descriptor.name.slice(0, MAX_NAME_CHARS), weight: 3, lengthEffect: 0.3, isName: true },
    { text: label ?? "", weight: 2, lengthEffect: 0.3, isName: true },
    { text: joined(parameters.map(({ name }) => name)), weight: 0.7, lengthEffect: 0.6, isName: false },
    { text: description, weight: 1, lengthEffect: 0.5, isName: false },
    { text: joined(parameters.flatMap(({ texts }) => texts)), weight: 0.4, lengthEffect: 0.6, isName: false },
  ];
}

function joined(texts: readonly string[]): string {
  return texts
    .map((text) => text.slice(0, MAX_PARAMETER_TEXT_CHARS))
    .join(" ")
    .slice(0, MAX_PARAMETER_CHARS);
}

/** Names of the top-level parameters; descriptions and values to choose from. */
function parametersOf(schema: unknown): readonly { readonly name: string; readonly texts: readonly string[] }[] {
  const properties = read(schema, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.keys(properties)
    .slice(0, MAX_PARAMETERS)
    .map((name) => {
      const values = read(read(properties, name), "enum");
      const choices: readonly unknown[] = Array.isArray(values) ? values.slice(0, MAX_CHOICES) : [];
      const texts = [read(read(properties, name), "description"), ...choices];
      return { name, texts: texts.filter((text) => typeof text === "string") };
    });
}

/** An own data property, so that an untrusted schema runs no code. */
function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? readOwn(value, key) : undefined;
}
