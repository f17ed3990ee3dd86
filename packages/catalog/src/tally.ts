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
  const tally = createTally(postings.documentCount);
  const hits = createHits(postings.documentCount);
  for (const word of query) {
    const scale = { rarity: rarityOf(postings, word.number) * word.weight, isSpoken: word.isSpoken };
    const [only, ...others] = word.alternates;
    if (only === undefined) continue;
    if (others.length === 0) {
      addAlternate(tally, postings, only, scale);
      continue;
    }
    for (const alternate of word.alternates) collectAlternate(hits, postings, alternate);
    addHits(tally, hits, scale);
  }
  return tally;
}

function createTally(count: number): Tally {
  return {
    scores: new Float64Array(count),
    covered: new Float64Array(count),
    nameHits: new Float64Array(count),
    exactNameHits: new Float64Array(count),
    summaryHits: new Float64Array(count),
    telling: new Uint8Array(count),
    tellingNames: new Uint8Array(count),
  };
}

/** What a word of the query counts. */
interface Scale {
  readonly rarity: number;
  readonly isSpoken: boolean;
}

/** What a posting adds; the loops over postings are the cost of a search, so they hold no more than array reads. */
interface AlternateScale {
  readonly start: number;
  readonly end: number;
  /** Of the alternate itself, weighted. */
  readonly rarity: number;
  readonly tells: boolean;
}

function alternateScale(postings: Postings, { number, weight, isGeneric }: Alternate): AlternateScale {
  const frequency = frequencyOf(postings, number);
  const start = postings.starts[number] ?? 0;
  return {
    start,
    end: start + frequency,
    rarity: rarityOf(postings, number) * weight,
    tells: !isGeneric && frequency <= Math.max(2, postings.documentCount * COMMON_SHARE),
  };
}

/** A word that nothing else stands for. */
function addAlternate(tally: Tally, postings: Postings, alternate: Alternate, scale: Scale): void {
  const { weight } = alternate;
  const { start, end, rarity, tells } = alternateScale(postings, alternate);
  const { documents, impacts, places } = postings;
  const impactScale = scale.rarity * weight;
  for (let at = start; at < end; at += 1) {
    const document = documents[at] as number;
    add(tally.scores, document, impactScale * (impacts[at] as number));
    if (scale.isSpoken) add(tally.covered, document, impactScale);
    if (tells) add(tally.telling, document, 1);
    const place = places[at] as number;
    if (place === 0) continue;
    if ((place & IN_SUMMARY) !== 0) add(tally.summaryHits, document, rarity);
    if ((place & IN_NAME) === 0) continue;
    add(tally.nameHits, document, rarity);
    if (weight < 1) continue;
    add(tally.exactNameHits, document, rarity);
    if (tells) add(tally.tellingNames, document, 1);
  }
}

/** The best of one word's alternates, by number of the document; zero but for the `found` ones. */
interface Hits {
  readonly impacts: Float64Array;
  readonly weights: Float64Array;
  readonly names: Float64Array;
  readonly exactNames: Float64Array;
  readonly summaries: Float64Array;
  readonly signs: Uint8Array;
  readonly found: number[];
}

const TELLS = 1;
const TELLS_IN_NAME = 2;

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

function collectAlternate(hits: Hits, postings: Postings, alternate: Alternate): void {
  const { weight } = alternate;
  const { start, end, rarity, tells } = alternateScale(postings, alternate);
  const { documents, impacts, places } = postings;
  const sign = tells ? TELLS : 0;
  const nameSign = tells && weight === 1 ? TELLS | TELLS_IN_NAME : sign;
  for (let at = start; at < end; at += 1) {
    const document = documents[at] as number;
    if (hits.weights[document] === 0) hits.found.push(document);
    raise(hits.impacts, document, (impacts[at] as number) * weight);
    raise(hits.weights, document, weight);
    const place = places[at] as number;
    hits.signs[document] = (hits.signs[document] as number) | ((place & IN_NAME) === 0 ? sign : nameSign);
    if (place === 0) continue;
    if ((place & IN_SUMMARY) !== 0) raise(hits.summaries, document, rarity);
    if ((place & IN_NAME) === 0) continue;
    raise(hits.names, document, rarity);
    if (weight === 1) raise(hits.exactNames, document, rarity);
  }
}

/** Adds one word's hits to the tally, and clears them. */
function addHits(tally: Tally, hits: Hits, scale: Scale): void {
  const { found, impacts, weights, names, exactNames, summaries, signs } = hits;
  for (const document of found) {
    add(tally.scores, document, scale.rarity * (impacts[document] as number));
    if (scale.isSpoken) add(tally.covered, document, scale.rarity * (weights[document] as number));
    add(tally.nameHits, document, names[document] as number);
    add(tally.exactNameHits, document, exactNames[document] as number);
    add(tally.summaryHits, document, summaries[document] as number);
    const sign = signs[document] as number;
    if ((sign & TELLS) !== 0) add(tally.telling, document, 1);
    if ((sign & TELLS_IN_NAME) !== 0) add(tally.tellingNames, document, 1);
    impacts[document] = 0;
    weights[document] = 0;
    names[document] = 0;
    exactNames[document] = 0;
    summaries[document] = 0;
    signs[document] = 0;
  }
  found.length = 0;
}

function add(values: Float64Array | Uint8Array, at: number, value: number): void {
  values[at] = (values[at] as number) + value;
}

function raise(values: Float64Array, at: number, value: number): void {
  if (value > (values[at] as number)) values[at] = value;
}
