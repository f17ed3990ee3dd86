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

/** Name, label, description and parameters of an entry. Untrusted text only ever becomes words here. */
export function searchFields(entry: CatalogEntry): readonly SearchField[] {
  const { descriptor } = entry;
  const parameters = parametersOf(descriptor.parameters);
  return [
    { words: wordsOf(descriptor.name), weight: 3, lengthEffect: 0.3, isName: true },
    { words: wordsOf(entry.label ?? ""), weight: 2, lengthEffect: 0.3, isName: true },
    { words: wordsOf(String(descriptor.description ?? "")), weight: 1, lengthEffect: 0.5, isName: false },
    { words: parameters.flatMap(({ name }) => wordsOf(name)), weight: 0.7, lengthEffect: 0.6, isName: false },
    { words: parameters.flatMap(({ text }) => wordsOf(text)), weight: 0.4, lengthEffect: 0.6, isName: false },
  ];
}

/** Names of the top-level parameters; descriptions and values to choose from. */
function parametersOf(schema: unknown): readonly { readonly name: string; readonly text: string }[] {
  const properties = read(schema, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.keys(properties)
    .slice(0, MAX_PARAMETERS)
    .map((name) => {
      const values = read(read(properties, name), "enum");
      const choices: readonly unknown[] = Array.isArray(values) ? values.slice(0, MAX_CHOICES) : [];
      const texts = [read(read(properties, name), "description"), ...choices];
      return { name, text: texts.filter((text) => typeof text === "string").join(" ") };
    });
}

/** An own data property, so that an untrusted schema runs no code. */
function read(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
}
