import { frequencyOf, rarityOf, type Postings } from "./postings.js";
import { IN_NAME, IN_SUMMARY } from "./search-documents.js";
import type { Alternate, QueryWord } from "./search-query.js";

/** What a query found, by number of the document. */
export interface Tally {
  readonly scores: Float64Array;
  /** Summed rarity of the query's words found. */
  readonly covered: Float64Array;
  /** Summed rarity of a name's words found; `exactNameHits` without synonyms and words spelled alike. */
  readonly nameHits: Float64Array;
  readonly exactNameHits: Float64Array;
  readonly summaryHits: Float64Array;
  /** Words found that tell tools apart. */
  readonly telling: Uint8Array;
  /** Those of them that are the query's own, and stand in the name. */
  readonly tellingNames: Uint8Array;
}

/** A word in more documents than this share, and in more than two, does not tell tools apart. */
const COMMON_SHARE = 0.25;

/** Finds every word of a query. A document gets the best of a word's alternates. */
export function tallyQuery(postings: Postings, query: readonly QueryWord[]): Tally {
  const count = postings.documentCount;
  const tally: Tally = {
    scores: new Float64Array(count),
    covered: new Float64Array(count),
    nameHits: new Float64Array(count),
    exactNameHits: new Float64Array(count),
    summaryHits: new Float64Array(count),
    telling: new Uint8Array(count),
    tellingNames: new Uint8Array(count),
  };
  const hits = createHits(count);
  for (const word of query) {
    for (const alternate of word.alternates) collect(hits, postings, alternate);
    settle(hits, tally, { rarity: rarityOf(postings, word.number) * word.weight, isSpoken: word.isSpoken });
  }
  return tally;
}

const TELLS = 1;
const TELLS_IN_NAME = 2;

/** What one word found, by number of the document; zero but for the `found` ones. */
interface Hits {
  readonly impacts: Float64Array;
  readonly weights: Float64Array;
  readonly names: Float64Array;
  readonly exactNames: Float64Array;
  readonly summaries: Float64Array;
  readonly signs: Uint8Array;
  readonly found: number[];
}

function createHits(count: number): Hits {
  return {
    impacts: new Float64Array(count),
    weights: new Float64Array(count),
    names: new Float64Array(count),
    exactNames: new Float64Array(count),
    summaries: new Float64Array(count),
    signs: new Uint8Array(count),
    found: [],
  };
}

function collect(hits: Hits, postings: Postings, { number, weight, isGeneric }: Alternate): void {
  const { starts, documents, impacts, places } = postings;
  const frequency = frequencyOf(postings, number);
  const rarity = rarityOf(postings, number) * weight;
  const tells = !isGeneric && frequency <= Math.max(2, postings.documentCount * COMMON_SHARE);
  const sign = tells ? TELLS : 0;
  const nameSign = tells && weight === 1 ? TELLS_IN_NAME : 0;
  const end = (starts[number] ?? 0) + frequency;
  for (let at = end - frequency; at < end; at += 1) {
    const document = documents[at] as number;
    if (hits.weights[document] === 0) hits.found.push(document);
    raise(hits.impacts, document, (impacts[at] as number) * weight);
    raise(hits.weights, document, weight);
    const place = places[at] as number;
    if ((place & IN_NAME) !== 0) {
      raise(hits.names, document, rarity);
      if (weight === 1) raise(hits.exactNames, document, rarity);
      hits.signs[document] = (hits.signs[document] as number) | nameSign;
    }
    if ((place & IN_SUMMARY) !== 0) raise(hits.summaries, document, rarity);
    hits.signs[document] = (hits.signs[document] as number) | sign;
  }
}

function raise(values: Float64Array, at: number, value: number): void {
  if (value > (values[at] as number)) values[at] = value;
}

/** Adds one word's hits to the tally, and clears them. */
function settle(hits: Hits, tally: Tally, word: { readonly rarity: number; readonly isSpoken: boolean }): void {
  for (const document of hits.found) {
    add(tally.scores, document, word.rarity * (hits.impacts[document] as number));
    if (word.isSpoken) add(tally.covered, document, word.rarity * (hits.weights[document] as number));
    add(tally.nameHits, document, hits.names[document] as number);
    add(tally.exactNameHits, document, hits.exactNames[document] as number);
    add(tally.summaryHits, document, hits.summaries[document] as number);
    const signs = hits.signs[document] as number;
    if ((signs & TELLS) !== 0) add(tally.telling, document, 1);
    if ((signs & TELLS_IN_NAME) !== 0) add(tally.tellingNames, document, 1);
    for (const values of [hits.impacts, hits.weights, hits.names, hits.exactNames, hits.summaries, hits.signs]) {
      values[document] = 0;
    }
  }
  hits.found.length = 0;
}

function add(values: Float64Array | Uint8Array, at: number, value: number): void {
  values[at] = (values[at] as number) + value;
}
