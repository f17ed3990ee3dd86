import { crc32 } from "node:zlib";
import type { Snapshot } from "quickjs-wasi";
import { CodeModeError, SNAPSHOT_FORMAT_VERSION, type VmSnapshot } from "@codemode/protocol";

const WASM_PAGE_BYTES = 65_536;
const METADATA_BYTES = 128;

/** A snapshot of the engine in our form. Takes over `snapshot.memory`, whole or as a difference. */
export function toVmSnapshot(snapshot: Snapshot, engine: string, channelToken: number): VmSnapshot {
  const { memory, stackPointer, runtimePtr, contextPtr } = snapshot;
  const content = { memory, stackPointer, runtimePtr, contextPtr, channelToken };
  return {
    formatVersion: SNAPSHOT_FORMAT_VERSION,
    engine,
    ...content,
    checksum: checksumOf(content),
    bytes: snapshotBytes(memory.byteLength),
  };
}

/** What a VM of this much memory counts against `maxSnapshotBytes`. */
export function snapshotBytes(memoryBytes: number): number {
  return memoryBytes + METADATA_BYTES;
}

/** @throws {CodeModeError} `snapshot_limit_exceeded`, telling limit and actual size. */
export function assertParkable(actualBytes: number, limitBytes: number): void {
  if (actualBytes <= limitBytes) return;
  throw new CodeModeError(
    "snapshot_limit_exceeded",
    `The cell holds ${actualBytes} bytes and may park at most ${limitBytes}. Keep less data across waits.`,
    { limitBytes, actualBytes },
  );
}

/**
 * Passes a snapshot of this engine build whose bytes are as they were when it was parked. A checksum finds damage, not
 * intent: who can write to a store can make one that passes.
 *
 * @throws {CodeModeError} `snapshot_incompatible`.
 */
export function assertRestorable(snapshot: VmSnapshot, engine: string): void {
  if (snapshot.formatVersion !== SNAPSHOT_FORMAT_VERSION) refuse(`format version ${snapshot.formatVersion}`);
  if (snapshot.engine !== engine) refuse("another engine build");
  if (snapshot.compression !== undefined) refuse("its memory is compressed");
  if (!(snapshot.memory instanceof Uint8Array) || snapshot.checksum !== checksumOf(snapshot)) refuse("damaged memory");
}

/**
 * The engine's own form of a densely parked VM, checked against this engine build.
 *
 * @throws {CodeModeError} `snapshot_incompatible`.
 */
export function fromVmSnapshot(snapshot: VmSnapshot, engine: string): Snapshot {
  assertRestorable(snapshot, engine);
  const { memory, stackPointer, runtimePtr, contextPtr, channelToken } = snapshot;
  if (memory.byteLength === 0 || memory.byteLength % WASM_PAGE_BYTES !== 0) refuse("damaged memory");
  const pointers = [stackPointer, runtimePtr, contextPtr, channelToken];
  if (!pointers.every((pointer) => Number.isInteger(pointer) && pointer > 0 && pointer < memory.byteLength)) {
    refuse("damaged pointers");
  }
  return { memory, stackPointer, runtimePtr, contextPtr, extensions: [] };
}

export function refuse(reason: string, cause?: unknown): never {
  const message = `The parked cell cannot be restored: ${reason}.`;
  throw new CodeModeError("snapshot_incompatible", message, { reason }, cause === undefined ? undefined : { cause });
}

/** CRC-32 of the memory and of the pointers into it. */
function checksumOf(
  content: Pick<VmSnapshot, "memory" | "stackPointer" | "runtimePtr" | "contextPtr" | "channelToken">,
): number {
  const { memory, stackPointer, runtimePtr, contextPtr, channelToken } = content;
  return crc32(Float64Array.of(stackPointer, runtimePtr, contextPtr, channelToken), crc32(memory));
}
