/** Where a segment starts, in UTF-16 units; of words also whether it is like one. */
export type SegmentStart = number | readonly [index: number, isWordLike: boolean];

/** Every kind of segment ends at a line end; words and characters also between a space and an ASCII letter or digit. */
const CUTS = { sentence: /\n/g, other: /\n|[ \t](?=[A-Za-z0-9])/g };
const MIN_PIECE_CHARS = 64;
/** The engine's segmenter takes time with the square of a text's length; so much of it, a few milliseconds, is allowed. */
const MAX_WORK = 2 ** 23;

/** @throws {RangeError} for the guest, when a text that cannot be cut is too long. */
export function segmentStarts(segmenter: Intl.Segmenter, text: string): SegmentStart[] {
  const starts: SegmentStart[] = [];
  let work = 0;
  for (const [from, to] of pieces(text, segmenter.resolvedOptions().granularity === "sentence")) {
    work += (to - from) ** 2;
    if (work > MAX_WORK) throw new RangeError(`The text is too long to be segmented: ${text.length} characters.`);
    for (const { index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      starts.push(isWordLike === undefined ? from + index : [from + index, isWordLike]);
    }
  }
  return starts;
}

/** The text cut where a segment ends anyway. */
function pieces(text: string, isSentence: boolean): [from: number, to: number][] {
  const found: [from: number, to: number][] = [];
  let from = 0;
  for (const { index } of text.matchAll(isSentence ? CUTS.sentence : CUTS.other)) {
    if (index + 1 - from < MIN_PIECE_CHARS) continue;
    found.push([from, index + 1]);
    from = index + 1;
  }
  if (from < text.length) found.push([from, text.length]);
  return found;
}
