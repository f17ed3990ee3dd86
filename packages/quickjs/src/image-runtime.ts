import type { Snapshot } from "quickjs-wasi";
import type { GuestRuntime, GuestSurface, GuestVm, VmOptions, VmSnapshot } from "@codemode/protocol";
import { loadEngine, type Engine } from "./engine.js";
import { plantEntropy } from "./entropy.js";
import { clearDeadStack, clearFreeMemory, firstChunkOf } from "./free-memory.js";
import { createHandleLedger } from "./handles.js";
import { createImageCache, type ImageCache } from "./image-cache.js";
import { memoryOf, type Image } from "./image.js";
import type { EngineInstance } from "./instance.js";
import { decodeDifference, encodeDifference } from "./pages.js";
import { createPlainRuntime } from "./plain-runtime.js";
import { assertParkable, assertSameBuild, refuse, snapshotBytes, toVmSnapshot } from "./snapshot.js";
import { LiveVm } from "./vm.js";

/** Memory limit while an image is built; each cell has its own on top. */
const IMAGE_MEMORY_LIMIT_BYTES = 1024 * 1024 * 1024;
const WASM_PAGE_BYTES = 65_536;

/**
 * The QuickJS-WASI engine. Globals are installed once per surface, as an image; a cell gets an instance that is equal to
 * it, and a parked cell is what differs from it. Where the engine cannot have images, every cell gets an engine of its
 * own.
 */
export function createQuickJsRuntime(): GuestRuntime {
  const handles = createHandleLedger();
  const plain = createPlainRuntime();
  let loading: Promise<{ engine: Engine; images: ImageCache }> | undefined;

  async function load(): Promise<{ engine: Engine; images: ImageCache }> {
    const engine = await loadEngine();
    return { engine, images: createImageCache({ engine, memoryLimitBytes: IMAGE_MEMORY_LIMIT_BYTES }) };
  }

  /** A VM on an instance of the surface's image; undefined where there are no images. */
  async function open(surface: GuestSurface, options: VmOptions, prepare: Prepare): Promise<GuestVm | undefined> {
    loading ??= load();
    const { engine, images } = await loading;
    const image = await images.imageOf(surface);
    const instance = image === undefined ? undefined : await images.take(image);
    if (image === undefined || instance === undefined) return undefined;
    try {
      prepare(instance, image, engine);
    } catch (error) {
      instance.dispose();
      throw error;
    }
    instance.clock.tell(options.seed);
    instance.budget.watch(options.isAborted);
    instance.vm._getExports().qjs_set_memory_limit(image.allocatedBytes + options.limits.memoryLimitBytes);
    return new LiveVm({
      instance,
      handles,
      limits: options.limits,
      park: () => park(instance, image, { engine, maxBytes: options.limits.maxSnapshotBytes }),
      dispose: (isClean) => images.giveBack(image, instance, isClean),
    });
  }

  return {
    async create(surface, options) {
      const vm = await open(surface, options, (instance, image) =>
        plantEntropy(instance.vm, image.entropy, options.seed),
      );
      return vm ?? plain.create(surface, options);
    },
    async restore(snapshot, surface, options) {
      if (snapshot.imageId === undefined) return plain.restore(snapshot, surface, options);
      const vm = await open(surface, options, (instance, image, engine) =>
        unpark(snapshot, { instance, image, engine }),
      );
      return vm ?? refuse("its image cannot be built here");
    },
    liveHandles: () => handles.live() + plain.liveHandles(),
    dispose() {
      void loading?.then(
        ({ images }) => images.dispose(),
        () => {},
      );
      loading = undefined;
      plain.dispose();
    },
  };
}

type Prepare = (instance: EngineInstance, image: Image, engine: Engine) => void;

function park(
  instance: EngineInstance,
  image: Image,
  { engine, maxBytes }: { engine: Engine; maxBytes: number },
): VmSnapshot {
  const { vm } = instance;
  vm.runGC();
  clearFreeMemory(vm, firstChunkOf(vm));
  clearDeadStack(vm);
  const memory = encodeDifference(memoryOf(instance), image.memory);
  assertParkable(snapshotBytes(memory.byteLength), maxBytes);
  const { channelToken, ...pointers } = pointersOf(instance);
  return { ...toVmSnapshot({ memory, ...pointers, extensions: [] }, engine.hash, channelToken), imageId: image.id };
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

/** Turns an instance that is equal to the image into the parked VM. Untrusted: the bytes come from a store. */
function unpark(
  snapshot: VmSnapshot,
  { instance, image, engine }: { instance: EngineInstance; image: Image; engine: Engine },
): void {
  assertSameBuild(snapshot, engine.hash);
  if (snapshot.imageId !== image.id) refuse("another catalog's image");
  const difference = decodeDifference(snapshot.memory);
  if (difference === undefined || difference.byteLength < image.memory.byteLength) return refuse("damaged memory");
  const { vm } = instance;
  const { stackPointer, runtimePtr, contextPtr, channelToken } = pointersOf(instance);
  const isSamePlace =
    snapshot.stackPointer === stackPointer &&
    snapshot.runtimePtr === runtimePtr &&
    snapshot.contextPtr === contextPtr &&
    snapshot.channelToken === channelToken;
  if (!isSamePlace) refuse("damaged pointers");
  const missing = difference.byteLength - image.memory.byteLength;
  if (missing % WASM_PAGE_BYTES !== 0 || missing > IMAGE_MEMORY_LIMIT_BYTES) refuse("damaged memory");
  if (missing > 0) vm._getMemory().grow(missing / WASM_PAGE_BYTES);
  difference.applyTo(memoryOf(instance));
}
