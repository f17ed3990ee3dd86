import { compareText } from "./callable-name.js";
import type { CatalogEntry } from "./catalog.js";
import { searchFields, type SearchField } from "./search-fields.js";
import { isGenericWord, wordsOf } from "./words.js";

/** Ranked lexical search over entries; built once, then a search costs what its words touch. */
export interface SearchIndex {
  /** Matching entries, best first, at most `limit`; ties by id. */
  search(query: string, limit: number): CatalogEntry[];
}

/** One entry in which a word occurs. */
interface Posting {
  readonly position: number;
  /** Occurrences over all fields, weighted, and diluted by long fields. */
  frequency: number;
  /** Whether the word is part of the name or label. */
  isInName: boolean;
}

/** What a query found in one entry. */
interface Match {
  score: number;
  /** Summed rarity of the query's words found. */
  covered: number;
  /** Words found that tell tools apart. */
  telling: number;
  hasTellingName: boolean;
}

interface Query {
  /** Exact text, trimmed. */
  readonly text: string;
  /** Distinct words. */
  readonly words: ReadonlySet<string>;
}

interface Ranked {
  readonly entry: CatalogEntry;
  readonly score: number;
}

/** How soon repetitions of a word stop counting. */
const SATURATION = 1.2;
const MAX_QUERY_WORDS = 64;
/** A word in more entries than this share, and in more than two, does not tell tools apart. */
const COMMON_SHARE = 0.25;
/** Least share of a query's rarity that a match covers, with and without a word that tells tools apart. */
const TELLING_SHARE = 0.1;
const PLAIN_SHARE = 0.5;

export function createSearchIndex(entries: readonly CatalogEntry[]): SearchIndex {
  const fieldsOf = searchFields(entries);
  const nameWords = fieldsOf.map(([name]) => [...new Set(name?.words)]);
  const postings = collectPostings(fieldsOf);
  const exact = collectNames(entries);
  return {
    search(text, limit) {
      const query: Query = { text: text.trim(), words: new Set(wordsOf(text).slice(0, MAX_QUERY_WORDS)) };
      const { matches, total } = findMatches(query, postings, entries.length);
      const ranked: Ranked[] = [];
      for (const [position, match] of matches) {
        const entry = entries[position];
        if (entry === undefined || !isRelevant(match, total, nameWords[position] ?? [], query)) continue;
        ranked.push({ entry, score: match.score * Math.sqrt(match.covered / total) });
      }
      ranked.sort((left, right) => right.score - left.score || compareText(left.entry.id, right.entry.id));
      const named = [...(exact.get(query.text) ?? []), ...(exact.get(query.text.toLowerCase()) ?? [])];
      return [...new Set([...named, ...ranked.map(({ entry }) => entry)])].slice(0, limit);
    },
  };
}

/** Entries by exact name and by name in small letters, callable and supplied; ordered by id. */
function collectNames(entries: readonly CatalogEntry[]): ReadonlyMap<string, readonly CatalogEntry[]> {
  const names = new Map<string, CatalogEntry[]>();
  const add = (name: string, entry: CatalogEntry): void => {
    const list = names.get(name);
    if (list === undefined) names.set(name, [entry]);
    else if (list.at(-1) !== entry) list.push(entry);
  };
  for (const entry of [...entries].sort((left, right) => compareText(left.id, right.id))) {
    for (const name of [entry.callableName, entry.descriptor.name]) add(name, entry);
  }
  for (const [name, list] of [...names]) {
    if (name !== name.toLowerCase()) for (const entry of list) add(name.toLowerCase(), entry);
  }
  return names;
}

function collectPostings(fieldsOf: readonly (readonly SearchField[])[]): ReadonlyMap<string, readonly Posting[]> {
  const averages = (fieldsOf[0] ?? []).map((_, field) => {
    const total = fieldsOf.reduce((sum, fields) => sum + (fields[field]?.words.length ?? 0), 0);
    return total / fieldsOf.length || 1;
  });
  const postings = new Map<string, Posting[]>();
  for (const [position, fields] of fieldsOf.entries()) {
    for (const [number, field] of fields.entries()) {
      const length = field.words.length / (averages[number] ?? 1);
      const share = field.weight / (1 - field.lengthEffect + field.lengthEffect * length);
      for (const word of field.words)
        addPosting(postings, word, { position, frequency: share, isInName: field.isName });
    }
  }
  return postings;
}

/** Entries come in order, so a word's last posting is the current entry's if it has one. */
function addPosting(postings: Map<string, Posting[]>, word: string, posting: Posting): void {
  const list = postings.get(word);
  const last = list?.at(-1);
  if (list === undefined) postings.set(word, [posting]);
  else if (last?.position === posting.position) {
    last.frequency += posting.frequency;
    last.isInName ||= posting.isInName;
  } else list.push(posting);
}

function findMatches(
  query: Query,
  postings: ReadonlyMap<string, readonly Posting[]>,
  entryCount: number,
): { readonly matches: ReadonlyMap<number, Match>; readonly total: number } {
  const matches = new Map<number, Match>();
  let total = 0;
  for (const word of query.words) {
    const list = postings.get(word) ?? [];
    const rarity = Math.log(1 + (entryCount - list.length + 0.5) / (list.length + 0.5));
    const isTelling = !isGenericWord(word) && list.length <= Math.max(2, entryCount * COMMON_SHARE);
    total += rarity;
    for (const { position, frequency, isInName } of list) {
      const match = matches.get(position) ?? { score: 0, covered: 0, telling: 0, hasTellingName: false };
      match.score += (rarity * frequency) / (SATURATION + frequency);
      match.covered += rarity;
      if (isTelling) match.telling += 1;
      match.hasTellingName ||= isTelling && isInName;
      matches.set(position, match);
    }
  }
  return { matches, total };
}

/**
 * The floor. The whole name of a tool in the query is a match; so is a share of the query's rarity that is larger when
 * only words were found that many tools have. One shared common word is none.
 */
function isRelevant(match: Match, total: number, nameWords: readonly string[], query: Query): boolean {
  const isNameCovered = nameWords.length > 0 && nameWords.every((word) => query.words.has(word));
  const share = match.telling > 0 ? TELLING_SHARE : PLAIN_SHARE;
  return isNameCovered || match.hasTellingName || match.telling > 1 || match.covered >= total * share;
}
