// Linear memory as blocks: which ones hold something, and which differ from an image. Comparisons are native and go from
// coarse to fine, because each costs more than the bytes it looks at.

export const PAGE_BYTES = 4_096;
/** Between page and block. */
const GROUP_BYTES = 1_024;
/** Unit in which parked memory is stored. */
export const BLOCK_BYTES = 256;
const HEADER_BYTES = 12;
const INDEX_BYTES = 4;

/** A stretch of memory, in bytes. */
export interface MemoryRun {
  readonly start: number;
  readonly end: number;
}

/** The stretches of whole pages that are not all zero. */
export function nonZeroRuns(memory: Uint8Array): MemoryRun[] {
  const zero = Buffer.alloc(PAGE_BYTES);
  const bytes = bufferOf(memory);
  const runs: { start: number; end: number }[] = [];
  for (let start = 0; start < bytes.byteLength; start += PAGE_BYTES) {
    if (bytes.compare(zero, 0, PAGE_BYTES, start, start + PAGE_BYTES) === 0) continue;
    const last = runs.at(-1);
    if (last?.end === start) last.end += PAGE_BYTES;
    else runs.push({ start, end: start + PAGE_BYTES });
  }
  return runs;
}

/** Makes `target` equal to `image`, of the same length, whose non-zero stretches are `runs`. */
export function writeMemory(target: Uint8Array, image: Uint8Array, runs: readonly MemoryRun[]): void {
  let cleared = 0;
  for (const { start, end } of runs) {
    target.fill(0, cleared, start);
    target.set(image.subarray(start, end), start);
    cleared = end;
  }
  target.fill(0, cleared);
}

/** How a memory differs from its image. */
export interface Difference {
  /** Length of the encoded form, in bytes. */
  readonly byteLength: number;
  /**
   * The differing blocks as one array of bytes: memory length, block size and count, then the indexes, then the blocks;
   * numbers are 32 bits, little-endian. Reads the memory as it is now.
   */
  encode(): Uint8Array;
}

/**
 * Finds what differs from `image`. Beyond its end an image counts as zero. What lies in whole pages below `deadBytes` is
 * taken to be equal; its content is of no use to anybody.
 */
export function findDifference(memory: Uint8Array, image: Uint8Array, deadBytes = 0): Difference {
  const indexes = differingBlocks(memory, image, deadBytes - (deadBytes % PAGE_BYTES));
  const byteLength = HEADER_BYTES + indexes.length * (INDEX_BYTES + BLOCK_BYTES);
  return { byteLength, encode: () => encodeBlocks(memory, indexes, byteLength) };
}

function encodeBlocks(memory: Uint8Array, indexes: readonly number[], byteLength: number): Uint8Array {
  const encoded = new Uint8Array(byteLength);
  const view = new DataView(encoded.buffer);
  view.setUint32(0, memory.byteLength, true);
  view.setUint32(4, BLOCK_BYTES, true);
  view.setUint32(8, indexes.length, true);
  indexes.forEach((index, n) => view.setUint32(HEADER_BYTES + n * INDEX_BYTES, index, true));
  let blockAt = HEADER_BYTES + indexes.length * INDEX_BYTES;
  for (const { start, end } of runsOfBlocks(indexes)) {
    encoded.set(memory.subarray(start, end), blockAt);
    blockAt += end - start;
  }
  return encoded;
}

/** The stretches of memory that blocks make, neighbours joined. Indexes rise. */
function runsOfBlocks(indexes: readonly number[]): MemoryRun[] {
  const runs: { start: number; end: number }[] = [];
  let last: { start: number; end: number } | undefined;
  for (const index of indexes) {
    const start = index * BLOCK_BYTES;
    if (last?.end === start) last.end += BLOCK_BYTES;
    else runs.push((last = { start, end: start + BLOCK_BYTES }));
  }
  return runs;
}

export interface DecodedDifference {
  /** Length of the memory the blocks are of. */
  readonly byteLength: number;
  /** Writes the blocks; `target` already holds the image. */
  applyTo(target: Uint8Array): void;
}

/**
 * Undefined when the bytes are not a difference. Untrusted: every length is checked before use, and indexes must rise and
 * lie inside the memory, so that one state of a memory has one encoding.
 */
export function decodeDifference(encoded: Uint8Array): DecodedDifference | undefined {
  if (encoded.byteLength < HEADER_BYTES) return undefined;
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const byteLength = view.getUint32(0, true);
  const count = view.getUint32(8, true);
  const blocksAt = HEADER_BYTES + count * INDEX_BYTES;
  if (view.getUint32(4, true) !== BLOCK_BYTES) return undefined;
  if (encoded.byteLength !== blocksAt + count * BLOCK_BYTES) return undefined;
  const indexes = Array.from({ length: count }, (_, n) => view.getUint32(HEADER_BYTES + n * INDEX_BYTES, true));
  if (indexes.some((index, n) => n > 0 && index <= (indexes[n - 1] as number))) return undefined;
  if (((indexes.at(-1) ?? -1) + 1) * BLOCK_BYTES > byteLength) return undefined;
  return {
    byteLength,
    applyTo(target) {
      let blockAt = blocksAt;
      for (const { start, end } of runsOfBlocks(indexes)) {
        target.set(encoded.subarray(blockAt, blockAt + end - start), start);
        blockAt += end - start;
      }
    },
  };
}

function differingBlocks(memory: Uint8Array, image: Uint8Array, from: number): number[] {
  const differs = comparison(memory, image);
  const found: number[] = [];
  for (let page = from; page < memory.byteLength; page += PAGE_BYTES) {
    if (!differs(page, PAGE_BYTES)) continue;
    for (let group = page; group < page + PAGE_BYTES; group += GROUP_BYTES) {
      if (!differs(group, GROUP_BYTES)) continue;
      for (let block = group; block < group + GROUP_BYTES; block += BLOCK_BYTES) {
        if (differs(block, BLOCK_BYTES)) found.push(block / BLOCK_BYTES);
      }
    }
  }
  return found;
}

/** Tells whether a stretch of `memory`, inside one page, differs from `image`, or from zero beyond its end. */
function comparison(memory: Uint8Array, image: Uint8Array): (start: number, bytes: number) => boolean {
  const [memoryBytes, imageBytes] = [bufferOf(memory), bufferOf(image)];
  const zero = Buffer.alloc(PAGE_BYTES);
  return (start, bytes) =>
    start < imageBytes.byteLength
      ? memoryBytes.compare(imageBytes, start, start + bytes, start, start + bytes) !== 0
      : memoryBytes.compare(zero, 0, bytes, start, start + bytes) !== 0;
}

function bufferOf(memory: Uint8Array): Buffer {
  return Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
}
