import { partsOf, tokensOf, wordOf } from "./words.js";

/** The words of a catalog by number. Only grows; a word keeps its number. */
export interface Vocabulary {
  /** How many words there are; their numbers are below it. */
  size(): number;
  /** Numbers of a text's words, in order. New words get one. */
  numbersOf(text: string): number[];
  find(word: string): number | undefined;
  /** Words that begin like a part of a query, or with which it begins: `config` and `configuration`. */
  alike(part: string): readonly number[];
}

const MIN_ALIKE_CHARS = 4;
/** Least share of the longer word that the shorter one is. */
const MIN_ALIKE_SHARE = 0.4;
/** Words looked at that begin with the same four characters. */
const MAX_BUCKET_WORDS = 1_000;
const MAX_ALIKE_WORDS = 12;
/** Tokens whose words are remembered; further ones are taken apart each time. */
const MAX_KNOWN_TOKENS = 200_000;

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const knownTokens = new Map<string, readonly number[]>();
  /** Words by their first characters. */
  const buckets = new Map<string, { readonly word: string; readonly number: number }[]>();

  function numberOf(word: string): number {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(word, number);
    if (word.length >= MIN_ALIKE_CHARS) addToBucket(word, number);
    return number;
  }

  function addToBucket(word: string, number: number): void {
    const start = word.slice(0, MIN_ALIKE_CHARS);
    const bucket = buckets.get(start);
    if (bucket === undefined) buckets.set(start, [{ word, number }]);
    else if (bucket.length < MAX_BUCKET_WORDS) bucket.push({ word, number });
  }

  function numbersOfToken(token: string): readonly number[] {
    const known = knownTokens.get(token);
    if (known !== undefined) return known;
    const found = partsOf(token).flatMap((part) => {
      const word = wordOf(part);
      return word === undefined ? [] : numberOf(word);
    });
    if (knownTokens.size < MAX_KNOWN_TOKENS) knownTokens.set(token, found);
    return found;
  }

  return {
    size: () => numbers.size,
    find: (word) => numbers.get(word),
    numbersOf(text) {
      const found: number[] = [];
      for (const token of tokensOf(text)) for (const number of numbersOfToken(token)) found.push(number);
      return found;
    },
    alike(part) {
      const bucket = buckets.get(part.slice(0, MIN_ALIKE_CHARS));
      if (part.length < MIN_ALIKE_CHARS || bucket === undefined) return [];
      return bucket
        .filter(({ word }) => isAlike(word, part))
        .slice(0, MAX_ALIKE_WORDS)
        .map(({ number }) => number);
    },
  };
}

function isAlike(word: string, part: string): boolean {
  const [shorter, longer] = word.length < part.length ? [word, part] : [part, word];
  return longer.startsWith(shorter) && shorter.length >= longer.length * MIN_ALIKE_SHARE;
}
