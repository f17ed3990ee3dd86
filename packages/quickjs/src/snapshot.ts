import type { Snapshot } from "quickjs-wasi";
import { CodeModeError, SNAPSHOT_FORMAT_VERSION, type VmSnapshot } from "@codemode/protocol";

const WASM_PAGE_BYTES = 65_536;
const METADATA_BYTES = 128;

/** The engine's dense snapshot in our envelope. Takes over `snapshot.memory`. */
export function toVmSnapshot(snapshot: Snapshot, engine: string, channelToken: number): VmSnapshot {
  return {
    formatVersion: SNAPSHOT_FORMAT_VERSION,
    engine,
    memory: snapshot.memory,
    stackPointer: snapshot.stackPointer,
    runtimePtr: snapshot.runtimePtr,
    contextPtr: snapshot.contextPtr,
    channelToken,
    bytes: snapshotBytes(snapshot.memory.byteLength),
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

/** @throws {CodeModeError} `snapshot_incompatible` for another format version or engine build. */
export function assertSameBuild(snapshot: VmSnapshot, engine: string): void {
  if (snapshot.formatVersion !== SNAPSHOT_FORMAT_VERSION) refuse(`format version ${snapshot.formatVersion}`);
  if (snapshot.engine !== engine) refuse("another engine build");
}

/**
 * The engine's own form of a densely parked VM, checked against this engine build.
 *
 * @throws {CodeModeError} `snapshot_incompatible`.
 */
export function fromVmSnapshot(snapshot: VmSnapshot, engine: string): Snapshot {
  assertSameBuild(snapshot, engine);
  const { memory, stackPointer, runtimePtr, contextPtr, channelToken } = snapshot;
  if (!(memory instanceof Uint8Array) || memory.byteLength === 0 || memory.byteLength % WASM_PAGE_BYTES !== 0) {
    refuse("damaged memory");
  }
  const pointers = [stackPointer, runtimePtr, contextPtr, channelToken];
  if (!pointers.every((pointer) => Number.isInteger(pointer) && pointer > 0 && pointer < memory.byteLength)) {
    refuse("damaged pointers");
  }
  return { memory, stackPointer, runtimePtr, contextPtr, extensions: [] };
}

export function refuse(reason: string): never {
  throw new CodeModeError("snapshot_incompatible", `The parked cell cannot be restored: ${reason}.`, { reason });
}
