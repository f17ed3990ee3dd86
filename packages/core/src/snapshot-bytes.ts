import type { ParkedCell } from "@codemode/protocol";

/** What a parked cell takes of memory. An executor's word counts only as far as it is not contradicted. */
export function snapshotBytesOf({ snapshot }: ParkedCell): number {
  return Math.max(snapshot.bytes, snapshot.memory.byteLength);
}
