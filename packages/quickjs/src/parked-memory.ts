// A VM that was made from an image, parked as what differs from it, and back.
import type { Snapshot } from "quickjs-wasi";
import type { VmSnapshot } from "@codemode/protocol";
import type { Engine } from "./engine.js";
import { clearFreeMemory, deadStackBytes, firstChunkOf } from "./free-memory.js";
import { memoryOf, type Image } from "./image.js";
import type { EngineInstance } from "./instance.js";
import { decodeDifference, findDifference } from "./pages.js";
import { assertParkable, assertRestorable, refuse, snapshotBytes, toVmSnapshot } from "./snapshot.js";

/**
 * A collection touches every object of the guest and of the image. Below this much more allocated memory than the image
 * has, what it could free is worth less, in bytes.
 */
const COLLECT_FROM_BYTES = 64 * 1024;
const WASM_PAGE_BYTES = 65_536;
/**
 * How many times its memory limit a VM may have grown beyond its image. The limit counts what is allocated; a block that
 * moves exists twice meanwhile, and memory that is free again stays.
 */
const MAX_GROWTH_FACTOR = 8;

/** An instance, the image it was made from, and the engine of both. */
export interface ImageVm {
  readonly instance: EngineInstance;
  readonly image: Image;
  readonly engine: Engine;
}

/** Copies what differs from the image; the VM stays live. @throws {CodeModeError} `snapshot_limit_exceeded`. */
export function parkDifference({ instance, image, engine }: ImageVm, maxBytes: number): VmSnapshot {
  const { vm } = instance;
  if (vm.getAllocatedSize() > image.allocatedBytes + COLLECT_FROM_BYTES) vm.runGC();
  clearFreeMemory(vm, firstChunkOf(vm));
  const difference = findDifference(memoryOf(instance), image.memory, deadStackBytes(vm));
  assertParkable(snapshotBytes(difference.byteLength), maxBytes);
  const { channelToken, ...pointers } = pointersOf(instance);
  const snapshot = { memory: difference.encode(), ...pointers, extensions: [] };
  return { ...toVmSnapshot(snapshot, engine.hash, channelToken), imageId: image.id };
}

/**
 * Turns an instance that is equal to the image into the parked VM. Untrusted: the bytes come from a store, and the memory
 * they ask for is bounded by the cell's limit.
 *
 * @throws {CodeModeError} `snapshot_incompatible`; the instance is then of no use to a cell.
 */
export function applyDifference(
  snapshot: VmSnapshot,
  { instance, image, engine }: ImageVm,
  memoryLimitBytes: number,
): void {
  assertRestorable(snapshot, engine.hash);
  if (snapshot.imageId !== image.id) refuse("another catalog's image");
  const { stackPointer, runtimePtr, contextPtr, channelToken } = pointersOf(instance);
  const isSamePlace =
    snapshot.stackPointer === stackPointer &&
    snapshot.runtimePtr === runtimePtr &&
    snapshot.contextPtr === contextPtr &&
    snapshot.channelToken === channelToken;
  if (!isSamePlace) refuse("damaged pointers");
  const difference = decodeDifference(snapshot.memory);
  if (difference === undefined) return refuse("damaged memory");
  grow(instance, difference.byteLength - image.memory.byteLength, memoryLimitBytes * MAX_GROWTH_FACTOR);
  difference.applyTo(memoryOf(instance));
}

function grow({ vm }: EngineInstance, bytes: number, maxBytes: number): void {
  if (bytes === 0) return;
  if (bytes < 0 || bytes % WASM_PAGE_BYTES !== 0) refuse("damaged memory");
  if (bytes > maxBytes) refuse("more memory than the cell may have");
  try {
    vm._getMemory().grow(bytes / WASM_PAGE_BYTES);
  } catch (cause) {
    refuse("there is no memory for it", cause);
  }
}

/** Equal in all instances of one image, and in their parked VMs. */
function pointersOf({
  vm,
  channel,
}: EngineInstance): Omit<Snapshot, "memory" | "extensions"> & { channelToken: number } {
  const exports = vm._getExports();
  return {
    stackPointer: exports.__stack_pointer.value,
    runtimePtr: exports.qjs_get_runtime_ptr(),
    contextPtr: exports.qjs_get_context_ptr(),
    channelToken: channel.token,
  };
}
