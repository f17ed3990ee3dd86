/** Keeps the last bytes of a stream. */
export interface TailBuffer {
  append(chunk: Buffer): void;
  /** The kept bytes as text; a character cut at the front is a replacement character. */
  text(): string;
}

export function createTailBuffer(maxBytes: number): TailBuffer {
  let kept: Buffer = Buffer.alloc(0);
  return {
    append(chunk) {
      const joined = chunk.length >= maxBytes ? chunk : Buffer.concat([kept, chunk]);
      // A copy, so that a small tail does not keep a large chunk alive.
      kept = Buffer.from(joined.subarray(-maxBytes));
    },
    text: () => kept.toString("utf8"),
  };
}

/**
 * The line of a program's error output that tells most: the last one that speaks of an error, else the last one.
 * Empty when there is none.
 */
export function lastWords(output: string): string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.findLast((line) => /error/i.test(line) && !/^\s+at /.test(line)) ?? lines.at(-1) ?? "";
}
