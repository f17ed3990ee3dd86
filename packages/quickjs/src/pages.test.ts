import { expect, test } from "vitest";
import { BLOCK_BYTES, PAGE_BYTES, decodeDifference, findDifference, nonZeroRuns, writeMemory } from "./pages.js";

function memoryWith(pages: number, marks: Readonly<Record<number, number>>): Uint8Array {
  const memory = new Uint8Array(pages * PAGE_BYTES);
  for (const [at, value] of Object.entries(marks)) memory[Number(at)] = value;
  return memory;
}

test("runs are the stretches of pages that hold something", () => {
  const memory = memoryWith(5, { 0: 1, [PAGE_BYTES + 7]: 2, [4 * PAGE_BYTES]: 3 });
  expect(nonZeroRuns(memory)).toEqual([
    { start: 0, end: 2 * PAGE_BYTES },
    { start: 4 * PAGE_BYTES, end: 5 * PAGE_BYTES },
  ]);
  expect(nonZeroRuns(memoryWith(2, {}))).toEqual([]);
});

test("writing an image leaves nothing of what was there", () => {
  const image = memoryWith(4, { 5: 1, [2 * PAGE_BYTES]: 9 });
  const target = new Uint8Array(4 * PAGE_BYTES).fill(0xab);
  writeMemory(target, image, nonZeroRuns(image));
  expect(Buffer.compare(target, image)).toBe(0);
});

test("a difference holds the changed blocks only, and gives the memory back", () => {
  const image = memoryWith(3, { 5: 1, [PAGE_BYTES]: 2 });
  const memory = memoryWith(4, { 5: 1, [PAGE_BYTES]: 3, [PAGE_BYTES + BLOCK_BYTES]: 4, [3 * PAGE_BYTES]: 5 });
  const difference = findDifference(memory, image);
  const encoded = difference.encode();
  expect([difference.byteLength, encoded.byteLength]).toEqual(Array(2).fill(12 + 3 * (4 + BLOCK_BYTES)));
  const decoded = decodeDifference(encoded);
  const target = new Uint8Array(4 * PAGE_BYTES);
  target.set(image);
  decoded?.applyTo(target);
  expect([decoded?.byteLength, Buffer.compare(target, memory)]).toEqual([memory.byteLength, 0]);
});

test("memory that was set back to zero is part of the difference", () => {
  const image = memoryWith(1, { 5: 1 });
  const target = image.slice();
  decodeDifference(findDifference(memoryWith(1, {}), image).encode())?.applyTo(target);
  expect(target.some((byte) => byte !== 0)).toBe(false);
});

test("neighbouring blocks and blocks far apart come back where they were", () => {
  const image = memoryWith(4, { 1: 1 });
  const marks = [0, 1, 2, 15, 16, 17, 40, 63].map((block) => [block * BLOCK_BYTES + 9, block + 1]);
  const memory = memoryWith(4, Object.fromEntries(marks) as Record<number, number>);
  const target = image.slice();
  decodeDifference(findDifference(memory, image).encode())?.applyTo(target);
  expect(Buffer.compare(target, memory)).toBe(0);
});

test("whole pages of dead bytes are left out, whatever they hold", () => {
  const image = memoryWith(3, {});
  const memory = memoryWith(3, { 7: 1, [PAGE_BYTES + 1]: 2, [2 * PAGE_BYTES]: 3 });
  const target = image.slice();
  decodeDifference(findDifference(memory, image, PAGE_BYTES + 3_000).encode())?.applyTo(target);
  expect(Buffer.compare(target, memoryWith(3, { [PAGE_BYTES + 1]: 2, [2 * PAGE_BYTES]: 3 }))).toBe(0);
});

test.each([
  ["nothing", (): Uint8Array => new Uint8Array(0)],
  ["a cut one", (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.byteLength - 1)],
  ["another block size", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 4, 512)],
  ["a count that does not fit", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 8, 2 ** 31)],
  ["a count that overflows", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 8, 2 ** 32 - 1)],
  ["a block outside the memory", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 16, 1_000_000)],
  ["a block that overflows", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 16, 2 ** 32 - 1)],
  ["a block twice", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 16, 0)],
  ["blocks out of order", (bytes: Uint8Array): Uint8Array => setUint32(setUint32(bytes, 12, 3), 16, 0)],
  ["a memory without its blocks", (bytes: Uint8Array): Uint8Array => setUint32(bytes, 0, 3 * BLOCK_BYTES)],
])("damaged differences are refused: %s", (_name, damage) => {
  const marks = { 5: 1, [3 * BLOCK_BYTES]: 2 };
  const encoded = findDifference(memoryWith(1, marks), memoryWith(1, {})).encode();
  expect(decodeDifference(damage(encoded.slice()))).toBe(undefined);
});

function setUint32(bytes: Uint8Array, at: number, value: number): Uint8Array {
  new DataView(bytes.buffer).setUint32(at, value, true);
  return bytes;
}
