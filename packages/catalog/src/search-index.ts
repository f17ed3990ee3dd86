import { compareText } from "./callable-name.js";
import type { CatalogEntry } from "./catalog-entry.js";
import { buildPostings, type Postings } from "./postings.js";
import { scoreDocuments } from "./rank.js";
import { createSearchDocuments, type SearchDocuments } from "./search-documents.js";
import { createQueryReader, type QueryReader } from "./search-query.js";
import { readSynonyms } from "./synonyms.js";

/** Ranked lexical search over entries: read once, then a search costs what its words touch. */
export interface SearchIndex {
  /** Whether all entries are read. */
  isReady(): boolean;
  /** Reads the entries that are not read yet, some milliseconds' work at a time, and waits for `pause` in between. */
  prepare(pause: () => Promise<void>): Promise<void>;
  /** Matching entries, best first, at most `limit`; ties by id. Reads first what is not read yet. */
  search(query: string, limit: number): CatalogEntry[];
  /** What was read, for the index that comes after this one. */
  readonly documents: SearchDocuments;
}

interface ReadyIndex {
  readonly postings: Postings;
  readonly reader: QueryReader;
  readonly named: ReadonlyMap<string, readonly CatalogEntry[]>;
}

/** Characters read between two pauses. */
const SLICE_CHARS = 100_000;
/** Of one entry; halved again and again while the catalog has more entries than `FULLY_READ_ENTRIES`, doubled each time. */
const MAX_ENTRY_CHARS = 6_000;
const FULLY_READ_ENTRIES = 4_096;
/** With more words that no entry has any more, an index starts afresh. */
const MAX_WORDS = 400_000;

/** An index of `entries`. Entries that `previous` has read are not read again; an index equals one made without it. */
export function createSearchIndex(entries: readonly CatalogEntry[], previous?: SearchIndex): SearchIndex {
  const documents = documentsFor(entries.length, previous);
  let next = 0;
  let ready: ReadyIndex | undefined;
  let preparing: Promise<void> | undefined;

  /** Reads some more; whether all is read. */
  function readSlice(): boolean {
    for (let chars = 0; next < entries.length && chars < SLICE_CHARS; next += 1) {
      const entry = entries[next];
      if (entry !== undefined) chars += documents.read(entry);
    }
    return next >= entries.length;
  }

  function finish(): ReadyIndex {
    while (!readSlice()) continue;
    const read = entries.map((entry) => documents.documentOf(entry));
    documents.keep(entries);
    return {
      postings: buildPostings(read, documents.vocabulary.size()),
      reader: createQueryReader({ vocabulary: documents.vocabulary, synonyms: readSynonyms() }),
      named: collectNames(entries),
    };
  }

  async function readInSlices(pause: () => Promise<void>): Promise<void> {
    while (!readSlice()) await pause();
    ready ??= finish();
  }

  return {
    documents,
    isReady: () => ready !== undefined,
    prepare: (pause) => (preparing ??= readInSlices(pause)),
    search(query, limit) {
      const { postings, reader, named } = (ready ??= finish());
      const scores = scoreDocuments(postings, reader.read(query));
      const best = bestOf(scores, limit, (number) => entries[number]?.id ?? "");
      const text = query.trim();
      const exact = [...(named.get(text) ?? []), ...(named.get(text.toLowerCase()) ?? [])];
      return [...new Set([...exact, ...best.flatMap((number) => entries[number] ?? [])])].slice(0, limit);
    },
  };
}

function documentsFor(entryCount: number, previous: SearchIndex | undefined): SearchDocuments {
  const doublings = Math.max(0, Math.ceil(Math.log2(entryCount / FULLY_READ_ENTRIES)));
  const maxChars = Math.floor(MAX_ENTRY_CHARS / 2 ** doublings);
  const earlier = previous?.documents;
  return earlier?.maxChars === maxChars && earlier.vocabulary.size() <= MAX_WORDS
    ? earlier
    : createSearchDocuments(maxChars);
}

/** Numbers of the documents with the highest scores, none without one; ties by id. */
function bestOf(scores: Float64Array, limit: number, idOf: (number: number) => string): readonly number[] {
  const best: number[] = [];
  const isBetter = (left: number, right: number): boolean => {
    const difference = (scores[left] ?? 0) - (scores[right] ?? 0);
    return difference === 0 ? compareText(idOf(left), idOf(right)) < 0 : difference > 0;
  };
  let least = 0;
  for (let number = 0; number < scores.length; number += 1) {
    const score = scores[number] ?? 0;
    if (score === 0 || score < least) continue;
    if (best.length === limit && !isBetter(number, best[limit - 1] as number)) continue;
    let place = Math.min(best.length, limit - 1);
    for (; place > 0 && isBetter(number, best[place - 1] as number); place -= 1)
      best[place] = best[place - 1] as number;
    best[place] = number;
    if (best.length === limit) least = scores[best[limit - 1] as number] ?? 0;
  }
  return best;
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
