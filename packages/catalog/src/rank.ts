import { rarityOf, type Postings } from "./postings.js";
import type { QueryWord } from "./search-query.js";
import { tallyQuery, type Tally } from "./tally.js";

/** What a name, and a summary, that the query covers wholly adds to the score. */
const NAME_BONUS = 0.3;
const SUMMARY_BONUS = 1;
/** Least share of a query's rarity that a match covers, with and without a word that tells tools apart. */
const TELLING_SHARE = 0.1;
const PLAIN_SHARE = 0.5;
/** Rarities are summed in another order here than for a whole name. */
const TOLERANCE = 1e-9;

/** How well each document matches, by its number; 0 for no match. */
export function scoreDocuments(postings: Postings, query: readonly QueryWord[]): Float64Array {
  const spoken = query.filter(({ isSpoken }) => isSpoken);
  const total = spoken.reduce((sum, { number, weight }) => sum + rarityOf(postings, number) * weight, 0);
  const tally = tallyQuery(postings, query);
  const scores = new Float64Array(postings.documentCount);
  for (let number = 0; number < scores.length; number += 1) {
    if (isRelevant(postings, tally, number, total)) scores[number] = scoreOf(postings, tally, number, total);
  }
  return scores;
}

/**
 * The floor. The whole name of a tool in the query is a match; so is a share of the query's rarity that is larger when
 * only words were found that many tools have. One shared common word is none.
 */
function isRelevant(postings: Postings, tally: Tally, number: number, total: number): boolean {
  const covered = tally.covered[number] ?? 0;
  if (covered === 0) return false;
  const nameRarity = postings.nameRarities[number] ?? 0;
  if (nameRarity > 0 && (tally.exactNameHits[number] ?? 0) >= nameRarity - TOLERANCE) return true;
  const telling = tally.telling[number] ?? 0;
  if ((tally.tellingNames[number] ?? 0) > 0 || telling > 1) return true;
  return covered >= total * (telling > 0 ? TELLING_SHARE : PLAIN_SHARE);
}

function scoreOf(postings: Postings, tally: Tally, number: number, total: number): number {
  // The share of the query that a document covers counts less than in proportion.
  const coverage = Math.sqrt((tally.covered[number] ?? 0) / total);
  const name = NAME_BONUS * share(tally.nameHits[number], postings.nameRarities[number]);
  const summary = SUMMARY_BONUS * share(tally.summaryHits[number], postings.summaryRarities[number]);
  return (tally.scores[number] ?? 0) * coverage * (1 + name) * (1 + summary);
}

function share(part = 0, whole = 0): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}
