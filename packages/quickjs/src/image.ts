import { createHash } from "node:crypto";
import type { QuickJS, Snapshot } from "quickjs-wasi";
import type { GuestSurface } from "@codemode/protocol";
import { FROZEN, type Base } from "./base.js";
import type { EntropyPlaces } from "./entropy.js";
import { clearDeadStack, clearFreeMemory, firstChunkOf } from "./free-memory.js";
import { installInstance, restoreInstance, type EngineInstance, type InstanceOptions } from "./instance.js";
import type { Engine } from "./engine.js";
import { nonZeroRuns, writeMemory, type MemoryRun } from "./pages.js";
import { IMAGE_MEMORY_LIMIT_BYTES } from "./settings.js";

/** Free heap of an image, in bytes; each byte more makes a reset take longer. */
const ROOM_BYTES = 96 * 1024;

/**
 * The memory of a VM right after its globals were installed. Instances made from one image are equal to the byte, so
 * that one is reset to it by writing memory, and a parked VM is what differs from it.
 */
export interface Image {
  /** Hash of engine, surface and memory: equal images have equal ids, on any machine. */
  readonly id: string;
  readonly memory: Uint8Array;
  readonly runs: readonly MemoryRun[];
  readonly entropy: EntropyPlaces;
  readonly stackPointer: number;
  /** Bytes the engine has allocated; a cell's memory limit counts beyond them. */
  readonly allocatedBytes: number;
  /** A new instance, equal to the image. Undefined when it is not. */
  createInstance(): Promise<EngineInstance | undefined>;
}

export interface ImageOptions {
  readonly engine: Engine;
  readonly base: Base;
}

export interface BuiltImage {
  readonly image: Image;
  /** The instance the image was taken from, equal to it. */
  readonly instance: EngineInstance;
}

/** Builds an image; undefined when this engine is not as images need it. @throws {CodeModeError} `runtime_unavailable`. */
export async function buildImage(
  surface: GuestSurface,
  { engine, base }: ImageOptions,
): Promise<BuiltImage | undefined> {
  const settings: InstanceOptions = {
    engine,
    surface,
    memoryLimitBytes: IMAGE_MEMORY_LIMIT_BYTES,
    prepareClock: (clock) => clock.freeze(FROZEN),
  };
  const { entropy } = base;
  if (entropy === undefined) return undefined;
  const origin = await installInstance(base, settings);
  leaveRoom(origin.vm);
  // As at parking, so that a parked VM differs only by what its cell left: a collection orders every object anew.
  origin.vm.runGC();
  clearFreeMemory(origin.vm, firstChunkOf(origin.vm));
  const { channelToken, ...installed } = { ...origin.vm.snapshot(), channelToken: origin.channel.token };
  origin.dispose();

  const installedRuns = nonZeroRuns(installed.memory);
  const open = async (): Promise<EngineInstance> => {
    const empty = { byteLength: installed.memory.byteLength, length: 0 } as unknown as Uint8Array;
    const snapshot: Snapshot = { ...installed, memory: empty };
    const instance = await restoreInstance(
      { snapshot, channelToken, fill: (vm) => writeMemory(memoryOf({ vm }), installed.memory, installedRuns) },
      settings,
    );
    touchSingletons(instance);
    clearDeadStack(instance.vm);
    return instance;
  };

  const instance = await open();
  const memory = memoryOf(instance).slice();
  const image: Image = {
    id: createHash("sha256").update(engine.hash).update(surface.fingerprint).update(memory).digest("hex"),
    memory,
    runs: nonZeroRuns(memory),
    entropy,
    stackPointer: instance.vm._getExports().__stack_pointer.value,
    allocatedBytes: instance.vm.getAllocatedSize(),
    async createInstance() {
      const another = await open();
      if (Buffer.compare(memoryOf(another), memory) === 0) return another;
      another.dispose();
      return undefined;
    },
  };
  return { image, instance };
}

/** Makes an instance equal to the image again. False when it has grown: it cannot be used any more. */
export function resetToImage(instance: EngineInstance, image: Image): boolean {
  const memory = memoryOf(instance);
  if (memory.byteLength !== image.memory.byteLength) return false;
  writeMemory(memory, image.memory, image.runs);
  instance.vm._getExports().__stack_pointer.value = image.stackPointer;
  return true;
}

export function memoryOf({ vm }: Pick<EngineInstance, "vm">): Uint8Array {
  return new Uint8Array(vm._getMemory().buffer);
}

/** Lets the heap grow for cells in advance: an instance whose memory grew in a cell cannot be used for another. */
function leaveRoom(vm: QuickJS): void {
  const exports = vm._getExports();
  exports.wasm_free(exports.wasm_malloc(ROOM_BYTES));
}

/** The engine's package makes these values when they are first asked for and keeps them; a reset must find them made. */
function touchSingletons({ vm }: EngineInstance): void {
  void [vm.global, vm.undefined, vm.null, vm.true, vm.false];
}
