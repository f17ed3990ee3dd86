import type { CatalogEntry } from "./catalog-entry.js";
import { searchFields } from "./search-fields.js";
import { createVocabulary, type Vocabulary } from "./vocabulary.js";

export const IN_NAME = 1;
export const IN_SUMMARY = 2;

/** An entry as the index keeps it: its distinct words and what each says about it. */
export interface SearchDocument {
  /** Numbers of the vocabulary. */
  readonly words: Uint32Array;
  /** Per word, 0 to 1: more for a leading field, for a repeated word and for a short field. */
  readonly impacts: Float32Array;
  /** Per word, `IN_NAME` and `IN_SUMMARY`. */
  readonly places: Uint8Array;
}

/** Reads entries into documents, and remembers those it read. Owned by one index, then by the one made after it. */
export interface SearchDocuments {
  readonly vocabulary: Vocabulary;
  /** Characters read of one entry. */
  readonly maxChars: number;
  /** How many characters it read; none where the entry is known. */
  read(entry: CatalogEntry): number;
  /** Reads the entry if need be: an index that shares these documents may have made it forgotten. */
  documentOf(entry: CatalogEntry): SearchDocument;
  /** Forgets all other entries. */
  keep(entries: readonly CatalogEntry[]): void;
}

/** How soon repetitions of a word stop counting. */
const SATURATION = 1.2;

export function createSearchDocuments(maxChars: number): SearchDocuments {
  const vocabulary = createVocabulary();
  let documents = new Map<CatalogEntry, SearchDocument>();
  // Reused for every entry: frequency and places by number of the word, and zero where no word stands.
  const frequencies: number[] = [];
  const places: number[] = [];

  function readFields(entry: CatalogEntry): { readonly words: readonly number[]; readonly chars: number } {
    const words: number[] = [];
    let chars = 0;
    for (const field of searchFields(entry, maxChars)) {
      if (field.text === "") continue;
      const numbers = vocabulary.numbersOf(field.text);
      const { weight, lengthEffect, usualWords, kind } = field;
      const share = weight / (1 - lengthEffect + lengthEffect * (numbers.length / usualWords));
      const place = kind === "name" ? IN_NAME : kind === "summary" ? IN_SUMMARY : 0;
      for (const number of numbers) {
        const before = frequencies[number] ?? 0;
        if (before === 0) words.push(number);
        frequencies[number] = before + share;
        places[number] = (places[number] ?? 0) | place;
      }
      chars += field.text.length;
    }
    return { words, chars };
  }

  /** Clears what `readFields` left behind. */
  function takeDocument(words: readonly number[]): SearchDocument {
    const document = {
      words: Uint32Array.from(words),
      impacts: new Float32Array(words.length),
      places: new Uint8Array(words.length),
    };
    for (const [position, word] of words.entries()) {
      const frequency = frequencies[word] ?? 0;
      document.impacts[position] = frequency / (SATURATION + frequency);
      document.places[position] = places[word] ?? 0;
      frequencies[word] = 0;
      places[word] = 0;
    }
    return document;
  }

  function read(entry: CatalogEntry): { readonly document: SearchDocument; readonly chars: number } {
    const known = documents.get(entry);
    if (known !== undefined) return { document: known, chars: 0 };
    const { words, chars } = readFields(entry);
    const document = takeDocument(words);
    documents.set(entry, document);
    return { document, chars };
  }

  return {
    vocabulary,
    maxChars,
    read: (entry) => read(entry).chars,
    documentOf: (entry) => read(entry).document,
    keep(entries) {
      if (documents.size === entries.length) return;
      const kept = entries.flatMap((entry) => {
        const document = documents.get(entry);
        return document === undefined ? [] : ([[entry, document]] as const);
      });
      documents = new Map(kept);
    },
  };
}
