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
const NEWLINE = 0x0a;

export function createLineReader(maxBytes: number): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;

  /** An oversized line is reduced to its ends, so that no more than `maxBytes` and one chunk are ever held. */
  function take(part: Buffer): void {
    parts.push(part);
    bytes += part.length;
    if (bytes <= maxBytes) return;
    const held = Buffer.concat(parts);
    if (held.length > 2 * KEPT_BYTES) parts = [held.subarray(0, KEPT_BYTES), Buffer.from(held.subarray(-KEPT_BYTES))];
  }

  function finish(): MessageLine {
    const whole = Buffer.concat(parts);
    const line: MessageLine =
      bytes <= maxBytes
        ? { type: "line", text: whole.toString("utf8") }
        : {
            type: "oversized",
            bytes,
            head: whole.subarray(0, KEPT_BYTES).toString("utf8"),
            tail: whole.subarray(-KEPT_BYTES).toString("utf8"),
          };
    parts = [];
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
