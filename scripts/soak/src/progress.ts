import type { WriteStream } from "node:tty";

/** One line that says how far the soak is. Written on a terminal only. */
export interface Progress {
  show(done: number): void;
  clear(): void;
}

const EVERY_MS = 200;

export function createProgress(stream: Pick<WriteStream, "isTTY" | "write">, total: number): Progress {
  const startedAt = performance.now();
  let shownAt = -Infinity;
  return {
    show(done) {
      const now = performance.now();
      if (!stream.isTTY || (now - shownAt < EVERY_MS && done < total)) return;
      shownAt = now;
      const seconds = Math.round((now - startedAt) / 1_000);
      const left = Math.round((seconds * (total - done)) / done);
      stream.write(`\r${done} of ${total} cells, ${seconds} s, about ${left} s left \u001b[K`);
    },
    clear() {
      if (stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}
