import { expect, test } from "vitest";
import { memoryTrends, type MemorySample } from "./memory.js";

const MIB = 1024 * 1024;

/** One sample per 100 of 10,000 cells. */
function samples(heapAt: (cells: number) => number): MemorySample[] {
  return Array.from({ length: 100 }, (_, at) => {
    const cells = (at + 1) * 100;
    return { cells, rss: 300 * MIB, heapUsed: heapAt(cells), external: 2 * MIB, arrayBuffers: MIB };
  });
}

const verdicts = (taken: readonly MemorySample[]) =>
  memoryTrends(taken).map(({ figure, verdict }) => [figure, verdict]);

test("memory that stays after the warm-up is flat", () => {
  expect(verdicts(samples((cells) => (cells < 3_000 ? cells : 3_000) * 1_000))).toEqual([
    ["rss", "flat"],
    ["heapUsed", "flat"],
    ["external", "flat"],
    ["arrayBuffers", "flat"],
  ]);
});

test("half a kilobyte a cell is a leak", () => {
  expect(verdicts(samples((cells) => 12 * MIB + cells * 512))).toContainEqual(["heapUsed", "growing"]);
});

test("a short soak does not judge memory", () => {
  expect(verdicts(samples(() => MIB).slice(0, 10))).toContainEqual(["heapUsed", "too short to tell"]);
});
