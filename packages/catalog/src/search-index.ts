import { compareText } from "./callable-name.js";
import type { CatalogEntry } from "./catalog.js";
import { buildPostings, type Postings } from "./postings.js";
import { rankDocuments, type Ranked } from "./rank.js";
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
      const ranked = rankDocuments(postings, reader.read(query));
      const best = bestOf(ranked, limit, (number) => entries[number]?.id ?? "");
      const text = query.trim();
      const exact = [...(named.get(text) ?? []), ...(named.get(text.toLowerCase()) ?? [])];
      return [...new Set([...exact, ...best.flatMap(({ number }) => entries[number] ?? [])])].slice(0, limit);
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

function bestOf(ranked: readonly Ranked[], limit: number, idOf: (number: number) => string): readonly Ranked[] {
  const best: Ranked[] = [];
  const isBetter = (left: Ranked, right: Ranked): boolean =>
    left.score > right.score || (left.score === right.score && compareText(idOf(left.number), idOf(right.number)) < 0);
  for (const candidate of ranked) {
    const last = best.at(-1);
    if (best.length === limit && last !== undefined && !isBetter(candidate, last)) continue;
    let place = best.length === limit ? limit - 1 : best.length;
    for (; place > 0 && isBetter(candidate, best[place - 1] as Ranked); place -= 1)
      best[place] = best[place - 1] as Ranked;
    best[place] = candidate;
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
