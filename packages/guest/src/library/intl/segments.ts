import { SymbolIterator, defineMethod, sliceText, trunc } from "../../library-primordials.js";
import { addMethods } from "../name-class.js";

/** Where a segment starts; of words also whether it is like one. */
export type SegmentStart = number | readonly [index: number, isWordLike: boolean];

interface Segment {
  readonly segment: string;
  readonly index: number;
  readonly input: string;
  readonly isWordLike?: boolean;
}

/** What `Intl.Segmenter.prototype.segment` gives: iterable, and asked for the segment at a place. */
export function segmentsOf(input: string, starts: readonly SegmentStart[]): object {
  const indexOf = (position: number): number => {
    if (position >= starts.length) return input.length;
    const start = starts[position] as SegmentStart;
    return typeof start === "number" ? start : start[0];
  };
  function segmentAt(position: number): Segment {
    const start = starts[position];
    const index = indexOf(position);
    const segment = sliceText(input, index, indexOf(position + 1));
    return typeof start === "object" ? { segment, index, input, isWordLike: start[1] } : { segment, index, input };
  }
  function* iterate(): Generator<Segment> {
    for (let position = 0; position < starts.length; position++) yield segmentAt(position);
  }
  const segments = {};
  defineMethod(segments, SymbolIterator, iterate);
  addMethods(segments, {
    containing(place?: number) {
      const wanted = trunc(+(place ?? 0)) || 0;
      if (wanted < 0 || wanted >= input.length) return undefined;
      let low = 0;
      for (let high = starts.length; high - low > 1;) {
        const middle = trunc((low + high) / 2);
        if (indexOf(middle) <= wanted) low = middle;
        else high = middle;
      }
      return segmentAt(low);
    },
  });
  return segments;
}
