import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { MemoryCodec } from "@codemode/snapshot-store";

/** Beyond it, more effort saves a few per cent. */
const LEVEL = 4;
/** Node comes back to the event loop once per piece of output, in bytes; its own default is a sixteenth. */
const MAX_CHUNK_BYTES = 256 * 1024;
const MIN_CHUNK_BYTES = 64;

const deflateBytes = promisify(deflate);
const inflateBytes = promisify(inflate);

/** Deflate on Node's thread pool: the same format as the platform's streams, for a fraction of the event loop's time. */
export const ZLIB_CODEC: MemoryCodec = {
  async compress(memory) {
    return ownBytes(await deflateBytes(memory, { level: LEVEL, chunkSize: chunkBytes(memory.byteLength) }));
  },
  async decompress(compressed, memoryBytes) {
    return ownBytes(
      await inflateBytes(compressed, { maxOutputLength: memoryBytes, chunkSize: chunkBytes(memoryBytes) }),
    );
  },
};

function chunkBytes(outputBytes: number): number {
  return Math.min(Math.max(outputBytes, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES);
}

/** Small output is a view of a whole piece, which would stay in memory with it. */
function ownBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return byteLength === buffer.byteLength ? bytes : bytes.slice();
}
