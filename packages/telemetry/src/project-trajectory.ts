import type { NestedCallRecord } from "@codemode/protocol";

export interface TrajectoryBounds {
  /** Most records shown; the latest are kept. */
  readonly maxRecords: number;
  /** Budget for error texts over all records, in UTF-16 units. */
  readonly maxChars: number;
}

const CUT = "…";
/** The first half of a character that a cut has split. */
const HALF_PAIR = /[\uD800-\uDBFF]$/;

/** A bounded view of the records for display, in dispatch order. The latest records get their error texts first. */
export function projectTrajectory(
  records: readonly NestedCallRecord[],
  bounds: TrajectoryBounds,
): readonly NestedCallRecord[] {
  let charsLeft = bounds.maxChars;
  const latest = bounds.maxRecords > 0 ? records.slice(-bounds.maxRecords) : [];
  return latest
    .reverse()
    .map((record) => {
      if (record.error === undefined) return record;
      const error = shorten(record.error, charsLeft);
      charsLeft -= error.length;
      return { ...record, error };
    })
    .reverse();
}

function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return maxChars <= CUT.length ? "" : text.slice(0, maxChars - CUT.length).replace(HALF_PAIR, "") + CUT;
}
