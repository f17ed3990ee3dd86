import type { NestedCallRecord } from "@codemode/protocol";
import { shortText } from "./short-text.js";

export interface TrajectoryBounds {
  /** Most records, at least 0. */
  readonly maxRecords: number;
  /** Most UTF-16 units of the records' compact JSON array. */
  readonly maxChars: number;
}

/** Longest error text kept when a record does not fit as it is. */
const SHORT_ERROR_CHARS = 100;

/**
 * The newest records that fit both bounds, in their order. A record that is too long gets a shorter error first; the
 * first that does not fit even so ends the projection, so that it has no gaps.
 */
export function projectTrajectory(
  records: readonly NestedCallRecord[],
  { maxRecords, maxChars }: TrajectoryBounds,
): readonly NestedCallRecord[] {
  const projection: NestedCallRecord[] = [];
  let left = maxChars - "[]".length;
  for (let index = records.length - 1; index >= 0 && projection.length < maxRecords; index--) {
    const comma = projection.length === 0 ? 0 : 1;
    const record = fitting(records[index] as NestedCallRecord, left - comma);
    if (record === undefined) break;
    left -= comma + jsonChars(record);
    projection.push(record);
  }
  return projection.reverse();
}

function fitting(record: NestedCallRecord, maxChars: number): NestedCallRecord | undefined {
  if (jsonChars(record) <= maxChars) return record;
  if (record.error === undefined) return undefined;
  const shorter = { ...record, error: shortText(record.error, SHORT_ERROR_CHARS) };
  return jsonChars(shorter) <= maxChars ? shorter : undefined;
}

function jsonChars(record: NestedCallRecord): number {
  return JSON.stringify(record).length;
}
