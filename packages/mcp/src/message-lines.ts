/** A line as it came, or what is kept of one that was too long. */
export type MessageLine =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "oversized"; readonly bytes: number; readonly head: string; readonly tail: string };

/** Cuts a byte stream into lines of bounded length. Work is linear in the bytes, however they are cut into chunks. */
export interface LineReader {
  push(chunk: Buffer): MessageLine[];
}

/** Bytes kept of each end of an oversized line. */
const KEPT_BYTES = 512;
/** Room that is held from the start, and all that is held again after a longer line. */
const ROOM_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export function createLineReader(maxBytes: number): LineReader {
  let room = Buffer.alloc(ROOM_BYTES);
  /** Bytes of the line in `room`: all of them, or its two ends. */
  let held = 0;
  /** Bytes the line has so far. */
  let bytes = 0;

  /** Copies, into room that doubles: parts may be tiny and many, and a large chunk must not stay alive for its tail. */
  function take(part: Buffer): void {
    if (held + part.length > room.length) {
      const larger = Buffer.alloc(Math.max(2 * room.length, held + part.length));
      room.copy(larger, 0, 0, held);
      room = larger;
    }
    held += part.copy(room, held);
    bytes += part.length;
    if (bytes > maxBytes && held > 2 * KEPT_BYTES) {
      room.copyWithin(KEPT_BYTES, held - KEPT_BYTES, held);
      held = 2 * KEPT_BYTES;
    }
  }

  function finish(): MessageLine {
    const line: MessageLine =
      bytes <= maxBytes
        ? { type: "line", text: room.toString("utf8", 0, held) }
        : {
            type: "oversized",
            bytes,
            head: room.toString("utf8", 0, Math.min(held, KEPT_BYTES)),
            tail: room.toString("utf8", Math.max(0, held - KEPT_BYTES), held),
          };
    if (room.length > ROOM_BYTES) room = Buffer.alloc(ROOM_BYTES);
    held = 0;
    bytes = 0;
    return line;
  }

  return {
    push(chunk) {
      const lines: MessageLine[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end));
        lines.push(finish());
        start = end + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
      return lines;
    },
  };
}
