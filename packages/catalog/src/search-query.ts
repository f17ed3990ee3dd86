import { impliedWords } from "./implied-words.js";
import type { Synonym } from "./synonyms.js";
import type { Vocabulary } from "./vocabulary.js";
import { isGenericWord, partsOf, stem, tokensOf, wordOf } from "./words.js";

/** A word of a query with everything that may stand for it. */
export interface QueryWord {
  /** Number of the word itself; undefined when no entry has it. */
  readonly number: number | undefined;
  /** How much it counts, 0 to 1. */
  readonly weight: number;
  /** Whether the query holds it, and does not merely imply it. */
  readonly isSpoken: boolean;
  /** The word itself first, then its synonyms and those spelled alike. */
  readonly alternates: readonly Alternate[];
}

export interface Alternate {
  readonly number: number;
  /** How well it stands for the word, 0 to 1. */
  readonly weight: number;
  /** Whether it does not tell what is asked for: many tools have it, or it may mean something else. */
  readonly isGeneric: boolean;
}

export interface QueryReader {
  read(query: string): readonly QueryWord[];
}

export interface QueryReaderOptions {
  readonly vocabulary: Vocabulary;
  readonly synonyms: ReadonlyMap<string, readonly Synonym[]>;
}

const MAX_QUERY_CHARS = 4_000;
const MAX_QUERY_WORDS = 64;
const SYNONYM_WEIGHT = 0.4;
const ALIKE_WEIGHT = 0.3;
/** Numbers are mostly values of parameters. */
const NUMBER_WEIGHT = 0.3;
const IMPLIED_WEIGHT = 0.3;

export function createQueryReader({ vocabulary, synonyms }: QueryReaderOptions): QueryReader {
  function alternatesOf(part: string, word: string): readonly Alternate[] {
    const found = new Map<number, Alternate>();
    const add = (number: number | undefined, weight: number, isGeneric = false): void => {
      if (number !== undefined && !found.has(number)) found.set(number, { number, weight, isGeneric });
    };
    add(vocabulary.find(word), 1, isGenericWord(word));
    for (const { word: synonym, isThing } of synonyms.get(word) ?? []) {
      add(vocabulary.find(synonym), SYNONYM_WEIGHT, !isThing || isGenericWord(synonym));
    }
    // Those may mean anything: they add to the rank and make no match.
    for (const alike of vocabulary.alike(part)) add(alike, ALIKE_WEIGHT, true);
    return [...found.values()];
  }

  return {
    read(query) {
      const kept = query.slice(0, MAX_QUERY_CHARS);
      const words = new Map<string, QueryWord>();
      for (const part of tokensOf(kept).flatMap(partsOf)) {
        const word = wordOf(part);
        if (word === undefined || words.has(word) || words.size >= MAX_QUERY_WORDS) continue;
        words.set(word, {
          number: vocabulary.find(word),
          weight: /\p{N}/u.test(word) ? NUMBER_WEIGHT : 1,
          isSpoken: true,
          alternates: alternatesOf(part, word),
        });
      }
      for (const word of impliedWords(kept).map(stem)) {
        const number = vocabulary.find(word);
        if (words.has(word) || number === undefined) continue;
        const alternates = [{ number, weight: 1, isGeneric: true }];
        words.set(word, { number, weight: IMPLIED_WEIGHT, isSpoken: false, alternates });
      }
      return [...words.values()];
    },
  };
}
