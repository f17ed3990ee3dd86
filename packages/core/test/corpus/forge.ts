import { crc32 } from "node:zlib";
import { encodeEnvelope } from "@codemode/snapshot-store";
import type { SnapshotRecord, VmSnapshot } from "@codemode/protocol";

/** Bytes of an envelope before its header, and where its parts lie. */
export const FRAME = { bytes: 24, version: 8, headerBytes: 12, memoryBytes: 16, checksum: 20 } as const;

/** A difference as it lies in a snapshot's memory. */
export const DIFFERENCE = { byteLength: 0, blockBytes: 4, count: 8, indexes: 12, blockSize: 256 } as const;

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A copy with one number, 32 bits, changed. */
export function withUint32(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = bytes.slice();
  viewOf(changed).setUint32(at, value, true);
  return changed;
}

export function withBit(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = bytes.slice();
  changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
  return changed;
}

/** An envelope around a changed header, with a frame that is right again: what somebody who can write to a store makes. */
export function withHeader(record: SnapshotRecord, change: (header: Header) => void): Uint8Array {
  const envelope = encodeEnvelope(record);
  const memoryAt = FRAME.bytes + viewOf(envelope).getUint32(FRAME.headerBytes, true);
  const header = JSON.parse(Buffer.from(envelope.subarray(FRAME.bytes, memoryAt)).toString()) as Header;
  change(header);
  const headerBytes = Buffer.from(JSON.stringify(header));
  const content = Buffer.concat([headerBytes, envelope.subarray(memoryAt)]);
  const forged = new Uint8Array(Buffer.concat([envelope.subarray(0, FRAME.bytes), content]));
  const frame = viewOf(forged);
  frame.setUint32(FRAME.headerBytes, headerBytes.byteLength, true);
  frame.setUint32(FRAME.checksum, crc32(content), true);
  return forged;
}

export interface Header {
  runId: string;
  scope: Record<string, unknown>;
  ttlMs: unknown;
  snapshot: Record<string, unknown>;
  source: Record<string, unknown>;
}

/** A snapshot of such content with the checksum that goes with it. */
export function forged(content: VmSnapshot): VmSnapshot {
  const { stackPointer, runtimePtr, contextPtr, channelToken, memory } = content;
  const pointers = Float64Array.of(stackPointer, runtimePtr, contextPtr, channelToken);
  return { ...content, checksum: crc32(pointers, crc32(memory)) };
}

/** Numbers from 0 to below `below`, the same for the same seed. */
export function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
