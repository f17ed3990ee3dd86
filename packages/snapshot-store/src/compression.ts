// Compression of parked memory by the platform's own streams, which work off this thread.
import type { ParkedCell, SnapshotCompression } from "@codemode/protocol";
import { incompatible } from "./incompatible.js";

/** How memory is made smaller and whole again. */
export interface MemoryCodec {
  compress(memory: Uint8Array): Promise<Uint8Array>;
  /** Never holds more than `memoryBytes`, within a few KiB; rejects when there is more, or when the bytes are damaged. */
  decompress(compressed: Uint8Array, memoryBytes: number): Promise<Uint8Array>;
}

/** Deflate with its checksum, as `CompressionStream` does it. */
export const DEFLATE: MemoryCodec = {
  compress: (memory) => collect(through(memory, new CompressionStream(FORMAT)), Infinity),
  decompress: (compressed, memoryBytes) => collect(through(compressed, new DecompressionStream(FORMAT)), memoryBytes),
};

const FORMAT: SnapshotCompression["format"] = "deflate";

/** The cell with its memory compressed; undefined when that makes it no smaller, or when it is compressed already. */
export async function compressCell(parked: ParkedCell, codec: MemoryCodec): Promise<ParkedCell | undefined> {
  const { snapshot } = parked;
  if (snapshot.compression !== undefined) return undefined;
  const memory = await codec.compress(snapshot.memory);
  const memoryBytes = snapshot.memory.byteLength;
  if (memory.byteLength >= memoryBytes) return undefined;
  return { ...parked, snapshot: { ...snapshot, memory, compression: { format: FORMAT, memoryBytes } } };
}

/**
 * The cell as it was parked. Untrusted: the length it names is checked before, and holds while, anything is decompressed.
 *
 * @throws {CodeModeError} `snapshot_incompatible`.
 */
export async function decompressCell(
  parked: ParkedCell,
  { codec, maxMemoryBytes }: { readonly codec: MemoryCodec; readonly maxMemoryBytes: number },
): Promise<ParkedCell> {
  const { compression, ...snapshot } = parked.snapshot;
  if (compression === undefined) return parked;
  const { memoryBytes } = compression;
  if (!(memoryBytes <= maxMemoryBytes)) {
    throw incompatible(`its memory has ${memoryBytes} bytes, at most ${maxMemoryBytes} are accepted`);
  }
  let memory: Uint8Array;
  try {
    memory = await codec.decompress(snapshot.memory, memoryBytes);
  } catch (cause) {
    throw incompatible("its compressed memory is damaged", cause);
  }
  if (memory.byteLength !== memoryBytes) throw incompatible("its compressed memory is incomplete");
  return { ...parked, snapshot: { ...snapshot, memory } };
}

function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return source.pipeThrough<Uint8Array>(stream);
}

async function collect(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new RangeError(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
