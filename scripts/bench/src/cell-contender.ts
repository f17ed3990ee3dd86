import type { Contender } from "./interleave.js";
import type { Peer } from "./peers/peer.js";

/** A peer that runs one cell again and again, in ms each. A wrong value is a failure: it is not measured. */
export function cellContender(peer: Peer, { code, value }: { code: string; value: unknown }): Contender {
  return {
    name: peer.name,
    async open() {
      const opened = await peer.open();
      return {
        async measure() {
          const startedAt = performance.now();
          const actual = await opened.run(code);
          const elapsedMs = performance.now() - startedAt;
          assertValue(actual, value);
          return elapsedMs;
        },
        close: () => opened.close(),
      };
    },
  };
}

/** @throws {Error} when they differ, as JSON. */
export function assertValue(actual: unknown, expected: unknown): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`gave ${got} in place of ${wanted}`);
}
