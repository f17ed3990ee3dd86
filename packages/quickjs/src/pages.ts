// Linear memory as blocks: which ones hold something, and which differ from an image. Two sizes, so that a comparison
// touches little: pages are compared natively, blocks only inside pages that differ.

export const PAGE_BYTES = 4_096;
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

/**
 * The blocks of `memory` that differ from `image`, as one array of bytes: memory length, block size and count, then the
 * indexes, then the blocks; numbers are 32 bits, little-endian. Beyond its end an image counts as zero.
 */
export function encodeDifference(memory: Uint8Array, image: Uint8Array): Uint8Array {
  const indexes = differingBlocks(memory, image);
  const encoded = new Uint8Array(HEADER_BYTES + indexes.length * (INDEX_BYTES + BLOCK_BYTES));
  const view = new DataView(encoded.buffer);
  view.setUint32(0, memory.byteLength, true);
  view.setUint32(4, BLOCK_BYTES, true);
  view.setUint32(8, indexes.length, true);
  let indexAt = HEADER_BYTES;
  let blockAt = HEADER_BYTES + indexes.length * INDEX_BYTES;
  for (const index of indexes) {
    view.setUint32(indexAt, index, true);
    encoded.set(memory.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES), blockAt);
    indexAt += INDEX_BYTES;
    blockAt += BLOCK_BYTES;
  }
  return encoded;
}

export interface DecodedDifference {
  /** Length of the memory the blocks are of. */
  readonly byteLength: number;
  /** Writes the blocks; `target` already holds the image. */
  applyTo(target: Uint8Array): void;
}

/** Undefined when the bytes are not a difference. Untrusted: every index and length is checked before use. */
export function decodeDifference(encoded: Uint8Array): DecodedDifference | undefined {
  if (encoded.byteLength < HEADER_BYTES) return undefined;
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const byteLength = view.getUint32(0, true);
  const count = view.getUint32(8, true);
  const blocksAt = HEADER_BYTES + count * INDEX_BYTES;
  if (view.getUint32(4, true) !== BLOCK_BYTES) return undefined;
  if (encoded.byteLength !== blocksAt + count * BLOCK_BYTES) return undefined;
  const indexes = Array.from({ length: count }, (_, n) => view.getUint32(HEADER_BYTES + n * INDEX_BYTES, true));
  if (indexes.some((index) => (index + 1) * BLOCK_BYTES > byteLength)) return undefined;
  return {
    byteLength,
    applyTo(target) {
      indexes.forEach((index, n) => {
        const at = blocksAt + n * BLOCK_BYTES;
        target.set(encoded.subarray(at, at + BLOCK_BYTES), index * BLOCK_BYTES);
      });
    },
  };
}

function differingBlocks(memory: Uint8Array, image: Uint8Array): number[] {
  const bytes = bufferOf(memory);
  const imageBytes = bufferOf(image);
  const zero = Buffer.alloc(PAGE_BYTES);
  const found: number[] = [];
  for (let start = 0; start < bytes.byteLength; start += PAGE_BYTES) {
    const isInImage = start < imageBytes.byteLength;
    const [base, baseAt] = isInImage ? [imageBytes, start] : [zero, 0];
    if (bytes.compare(base, baseAt, baseAt + PAGE_BYTES, start, start + PAGE_BYTES) === 0) continue;
    for (let at = 0; at < PAGE_BYTES; at += BLOCK_BYTES) {
      const [from, to] = [start + at, start + at + BLOCK_BYTES];
      if (bytes.compare(base, baseAt + at, baseAt + at + BLOCK_BYTES, from, to) !== 0) found.push(from / BLOCK_BYTES);
    }
  }
  return found;
}

function bufferOf(memory: Uint8Array): Buffer {
  return Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
}
