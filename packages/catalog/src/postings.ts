import { IN_NAME, IN_SUMMARY, type SearchDocument } from "./search-documents.js";

/** Where each word occurs, in flat arrays: the postings of word `w` are those from `starts[w]` to `starts[w + 1]`. */
export interface Postings {
  readonly documentCount: number;
  readonly starts: Uint32Array;
  /** Number of the document, ascending within a word. */
  readonly documents: Uint32Array;
  readonly impacts: Float32Array;
  readonly places: Uint8Array;
  /** Summed rarity of the words in a document's name, and in its summary. */
  readonly nameRarities: Float64Array;
  readonly summaryRarities: Float64Array;
}

export function buildPostings(documents: readonly SearchDocument[], wordCount: number): Postings {
  const starts = new Uint32Array(wordCount + 1);
  for (const { words } of documents) for (const word of words) starts[word + 1] = (starts[word + 1] ?? 0) + 1;
  for (let word = 0; word < wordCount; word += 1) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0);
  const total = starts[wordCount] ?? 0;
  const postings = {
    documentCount: documents.length,
    starts,
    documents: new Uint32Array(total),
    impacts: new Float32Array(total),
    places: new Uint8Array(total),
    nameRarities: new Float64Array(documents.length),
    summaryRarities: new Float64Array(documents.length),
  };
  const ends = starts.slice();
  for (let number = 0; number < documents.length; number += 1) {
    const { words, impacts, places } = documents[number] as SearchDocument;
    for (let position = 0; position < words.length; position += 1) {
      const word = words[position] as number;
      const at = ends[word] as number;
      ends[word] = at + 1;
      const place = places[position] as number;
      postings.documents[at] = number;
      postings.impacts[at] = impacts[position] as number;
      postings.places[at] = place;
      if (place === 0) continue;
      const rarity = rarityOf(postings, word);
      if ((place & IN_NAME) !== 0) postings.nameRarities[number] = (postings.nameRarities[number] as number) + rarity;
      if ((place & IN_SUMMARY) !== 0) {
        postings.summaryRarities[number] = (postings.summaryRarities[number] as number) + rarity;
      }
    }
  }
  return postings;
}

/** In how many documents a word occurs; none for a word without a number, and for one that came later. */
export function frequencyOf({ starts }: Postings, word: number | undefined): number {
  if (word === undefined || word + 1 >= starts.length) return 0;
  return (starts[word + 1] as number) - (starts[word] as number);
}

/** The rarer a word, the more it tells; never zero. */
export function rarityOf(postings: Postings, word: number | undefined): number {
  const frequency = frequencyOf(postings, word);
  return Math.log(1 + (postings.documentCount - frequency + 0.5) / (frequency + 0.5));
}
