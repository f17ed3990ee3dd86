import { deflateSync } from "node:zlib";
import { createCompressingStore, createMemorySnapshotStore } from "@codemode/snapshot-store";
import { parkedCellOf, snapshotRecordOf } from "@codemode/testing";
import { describe, expect, test } from "vitest";
import { ZLIB_CODEC } from "./zlib-codec.js";

function bytesOf(length: number): Uint8Array {
  return new Uint8Array(length).map((_byte, index) => (index * index) % 7);
}

describe("WAIT-13: compression on the thread pool", () => {
  test.each([1, 63, 64, 20_000, 262_144, 700_001])(
    "%i bytes come back, in memory of exactly their size",
    async (length) => {
      const memory = bytesOf(length);
      const compressed = await ZLIB_CODEC.compress(memory);
      const back = await ZLIB_CODEC.decompress(compressed, length);
      expect(Buffer.compare(back, memory)).toBe(0);
      for (const bytes of [compressed, back]) {
        expect([bytes.constructor, bytes.buffer.byteLength]).toEqual([Uint8Array, bytes.byteLength]);
      }
      if (length > 100) expect(compressed.byteLength).toBeLessThan(length / 10);
    },
  );

  test.each<[string, Uint8Array, number]>([
    ["more than they say", new Uint8Array(deflateSync(bytesOf(1_000))), 999],
    ["a bomb", new Uint8Array(deflateSync(new Uint8Array(50_000_000))), 1_000],
    [
      "damaged",
      new Uint8Array(deflateSync(bytesOf(1_000))).map((byte, index) => (index === 9 ? byte ^ 1 : byte)),
      1_000,
    ],
    ["cut", new Uint8Array(deflateSync(bytesOf(1_000))).subarray(0, -1), 1_000],
    ["none", new Uint8Array(), 1_000],
  ])("bytes that are %s are refused", async (_name, compressed, length) => {
    await expect(ZLIB_CODEC.decompress(compressed, length)).rejects.toThrow();
  });

  test("a store with another codec reads them", async () => {
    const inner = createMemorySnapshotStore();
    const { snapshot, ...cell } = parkedCellOf(1);
    const memory = bytesOf(20_000);
    const compression = { format: "deflate" as const, memoryBytes: memory.byteLength };
    const compressed = { ...snapshot, memory: await ZLIB_CODEC.compress(memory), compression };
    const record = snapshotRecordOf("a", { parked: { ...cell, snapshot: compressed } });
    await inner.park(record);
    const store = createCompressingStore(inner);
    const outcome = await store.acquire("a", record.scope);
    if (outcome.status !== "acquired") throw new Error(outcome.reason);
    expect(await store.read(outcome.lease)).toEqual({ ...cell, snapshot: { ...snapshot, memory } });
    await store.close();
  });
});
