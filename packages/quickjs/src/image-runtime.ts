import type { GuestRuntime, GuestSurface, GuestVm, VmOptions } from "@codemode/protocol";
import { loadBase } from "./base.js";
import { loadEngine, type Engine } from "./engine.js";
import { plantEntropy } from "./entropy.js";
import { createHandleLedger, type HandleLedger } from "./handles.js";
import { createImageCache, type ImageCache } from "./image-cache.js";
import type { Image } from "./image.js";
import type { EngineInstance } from "./instance.js";
import { applyDifference, parkDifference, type ImageVm } from "./parked-memory.js";
import { createPlainRuntime } from "./plain-runtime.js";
import { refuse } from "./snapshot.js";
import { LiveVm } from "./vm.js";

export interface QuickJsRuntimeOptions {
  /** Told once, with the reason, when cells have to do without images. Must not throw. */
  readonly onFallback?: (reason: string) => void;
}

/**
 * The QuickJS-WASI engine. Globals are installed once per surface, as an image; a cell gets an instance that is equal to
 * it, and a parked cell is what differs from it. Where the engine cannot have images, every cell gets an engine of its
 * own.
 */
export function createQuickJsRuntime({ onFallback = () => {} }: QuickJsRuntimeOptions = {}): GuestRuntime {
  const handles = createHandleLedger();
  const plain = createPlainRuntime();
  const tellFallback = once(onFallback);
  let loading: Promise<Loaded> | undefined;

  /** A VM on an instance of the surface's image; undefined where there are no images. */
  async function open(surface: GuestSurface, options: VmOptions, prepare: Prepare): Promise<GuestVm | undefined> {
    loading ??= load();
    const { engine, images } = await loading;
    const taken = await images.take(surface);
    if (taken.image === undefined) {
      tellFallback(taken.reason);
      return undefined;
    }
    const { image, instance } = taken;
    try {
      prepare(instance, image, engine);
    } catch (error) {
      // No guest has run in it.
      images.giveBack(image, instance, true);
      throw error;
    }
    return openLiveVm({ instance, image, engine }, { images, handles, options });
  }

  return {
    async load() {
      loading ??= load();
      await loading;
    },
    async create(surface, options) {
      const vm = await open(surface, options, (instance, image) =>
        plantEntropy(instance.vm, image.entropy, options.seed),
      );
      return vm ?? plain.create(surface, options);
    },
    async restore(snapshot, surface, options) {
      if (snapshot.imageId === undefined) return plain.restore(snapshot, surface, options);
      const vm = await open(surface, options, (instance, image, engine) =>
        applyDifference(snapshot, { instance, image, engine }, options.limits.memoryLimitBytes),
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

interface Loaded {
  readonly engine: Engine;
  readonly images: ImageCache;
}

async function load(): Promise<Loaded> {
  const engine = await loadEngine();
  return { engine, images: createImageCache({ engine, base: await loadBase(engine) }) };
}

/** The VM of a prepared instance; disposing it gives the instance back. */
function openLiveVm(
  imageVm: ImageVm,
  { images, handles, options }: { images: ImageCache; handles: HandleLedger; options: VmOptions },
): GuestVm {
  const { instance, image } = imageVm;
  const { limits, seed, isAborted } = options;
  instance.clock.tell(seed);
  instance.budget.watch(isAborted);
  instance.vm._getExports().qjs_set_memory_limit(image.allocatedBytes + limits.memoryLimitBytes);
  const giveBack = handles.lend(instance.handles);
  return new LiveVm({
    instance,
    limits,
    park: () => parkDifference(imageVm, limits.maxSnapshotBytes),
    dispose(isClean) {
      giveBack(isClean);
      images.giveBack(image, instance, isClean);
    },
  });
}

function once(tell: (reason: string) => void): (reason: string) => void {
  let isTold = false;
  return (reason) => {
    if (isTold) return;
    isTold = true;
    tell(reason);
  };
}

type Prepare = (instance: EngineInstance, image: Image, engine: Engine) => void;
