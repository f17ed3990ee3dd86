/**
 * A parked run as one block of bytes, for stores outside this process: 24 bytes (magic, format version, header length,
 * memory length, CRC-32 of all that follows), a JSON header, the VM's memory. Numbers are little-endian.
 */
import { SNAPSHOT_FORMAT_VERSION, type SnapshotRecord } from "@codemode/protocol";
import { crc32 } from "./crc32.js";
import { decodeHeader, encodeHeader } from "./envelope-header.js";
import { incompatible } from "./incompatible.js";

const MAGIC = "codemode";
const VERSION_AT = 8;
const HEADER_BYTES_AT = 12;
const MEMORY_BYTES_AT = 16;
const CHECKSUM_AT = 20;
const PREFIX_BYTES = 24;
/** Longest JSON header accepted, in bytes: scope, pointers and the cell's source with its map. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024;

export interface EnvelopeExpectation {
  /** Hash of the engine build that is to restore the run. */
  readonly engine: string;
  /** Largest envelope accepted, in bytes. */
  readonly maxBytes: number;
}

/** Bytes of one record; they share nothing with it. */
export function encodeEnvelope(record: SnapshotRecord): Uint8Array {
  const header = encodeHeader(record);
  const { memory } = record.parked.snapshot;
  const envelope = new Uint8Array(PREFIX_BYTES + header.byteLength + memory.byteLength);
  envelope.set(header, PREFIX_BYTES);
  envelope.set(memory, PREFIX_BYTES + header.byteLength);
  const view = new DataView(envelope.buffer);
  for (let index = 0; index < MAGIC.length; index++) view.setUint8(index, MAGIC.charCodeAt(index));
  view.setUint32(VERSION_AT, SNAPSHOT_FORMAT_VERSION, true);
  view.setUint32(HEADER_BYTES_AT, header.byteLength, true);
  view.setUint32(MEMORY_BYTES_AT, memory.byteLength, true);
  view.setUint32(CHECKSUM_AT, crc32(envelope.subarray(PREFIX_BYTES)), true);
  return envelope;
}

/**
 * The record in an envelope. Untrusted: sizes are checked before anything is allocated. The checksum finds damage, not
 * tampering; a store that others can write to needs its own authentication.
 *
 * @throws {CodeModeError} `snapshot_incompatible` when the bytes are damaged, foreign, too large, or of another format
 * version or engine build.
 */
export function decodeEnvelope(envelope: Uint8Array, { engine, maxBytes }: EnvelopeExpectation): SnapshotRecord {
  const { byteLength } = envelope;
  if (byteLength > maxBytes)
    throw incompatible(`the envelope has ${byteLength} bytes, at most ${maxBytes} are accepted`);
  const memoryStart = assertFrame(envelope);
  const withMemory = decodeHeader(envelope.subarray(PREFIX_BYTES, memoryStart));
  const record = withMemory(envelope.subarray(memoryStart));
  const { snapshot } = record.parked;
  if (snapshot.engine !== engine) throw incompatible("it belongs to another engine build");
  return withMemory(new Uint8Array(snapshot.memory));
}

/** Checks everything around header and memory; gives the offset of the memory. */
function assertFrame(envelope: Uint8Array): number {
  const { byteLength } = envelope;
  if (byteLength < PREFIX_BYTES) throw incompatible(`the envelope has only ${byteLength} bytes`);
  const view = new DataView(envelope.buffer, envelope.byteOffset, byteLength);
  for (let index = 0; index < MAGIC.length; index++) {
    if (view.getUint8(index) !== MAGIC.charCodeAt(index)) throw incompatible("the bytes are not an envelope");
  }
  const version = view.getUint32(VERSION_AT, true);
  if (version !== SNAPSHOT_FORMAT_VERSION) {
    throw incompatible(`the envelope has format version ${version}, this build reads ${SNAPSHOT_FORMAT_VERSION}`);
  }
  const headerBytes = view.getUint32(HEADER_BYTES_AT, true);
  const memoryBytes = view.getUint32(MEMORY_BYTES_AT, true);
  if (headerBytes > MAX_HEADER_BYTES || PREFIX_BYTES + headerBytes + memoryBytes !== byteLength) {
    throw incompatible("the sizes in the envelope do not match its bytes");
  }
  if (view.getUint32(CHECKSUM_AT, true) !== crc32(envelope.subarray(PREFIX_BYTES))) {
    throw incompatible("the envelope is damaged");
  }
  return PREFIX_BYTES + headerBytes;
}
