import type { GuestSurface } from "@codemode/protocol";
import { buildImage, resetToImage, type Image, type ImageOptions } from "./image.js";
import type { EngineInstance } from "./instance.js";

const MAX_IMAGES = 8;
const MAX_IDLE_INSTANCES = 2;

const NO_ENTROPY = "the engine's random state was not found in its memory";
const UNEQUAL_INSTANCE = "an instance of the engine is not equal to its image";

/** An instance that is equal to its image, or why this engine cannot have images. */
export type TakenInstance =
  | { readonly image: Image; readonly instance: EngineInstance }
  | { readonly image?: undefined; readonly reason: string };

/** The images of one runtime, least recently used first out, each with instances that are ready for a cell. */
export interface ImageCache {
  /** An instance of a surface's image; give it back. @throws {CodeModeError} `runtime_unavailable`. */
  take(surface: GuestSurface): Promise<TakenInstance>;
  /** Takes an instance back: resets it for the next cell, or drops it. */
  giveBack(image: Image, instance: EngineInstance, isClean: boolean): void;
  dispose(): void;
}

interface Entry {
  readonly image: Image;
  readonly idle: EngineInstance[];
}

type Build = Entry | { readonly image?: undefined; readonly reason: string };

export function createImageCache(options: ImageOptions): ImageCache {
  const entries = new Map<string, Promise<Build>>();
  const ready = new Map<Image, Entry>();
  let isRepeatable: boolean | undefined;

  async function build(surface: GuestSurface): Promise<Build> {
    const built = await buildImage(surface, options);
    if (built === undefined) return { reason: NO_ENTROPY };
    // Asked once, of the first image: a parked cell must find the same image on another worker.
    isRepeatable ??= await hasEqualInstances(built.image);
    if (!isRepeatable) {
      built.instance.dispose();
      return { reason: UNEQUAL_INSTANCE };
    }
    const entry: Entry = { image: built.image, idle: [built.instance] };
    ready.set(entry.image, entry);
    return entry;
  }

  async function entryOf(surface: GuestSurface): Promise<Build> {
    const { fingerprint } = surface;
    const known = entries.get(fingerprint) ?? build(surface);
    entries.delete(fingerprint);
    entries.set(fingerprint, known);
    evict();
    try {
      return await known;
    } catch (error) {
      entries.delete(fingerprint);
      throw error;
    }
  }

  function evict(): void {
    for (const [fingerprint, entry] of entries) {
      if (entries.size <= MAX_IMAGES) return;
      entries.delete(fingerprint);
      void entry.then(drop, () => {});
    }
  }

  function drop(entry: Build): void {
    if (entry.image === undefined) return;
    ready.delete(entry.image);
    for (const instance of entry.idle.splice(0)) instance.dispose();
  }

  return {
    async take(surface) {
      const entry = await entryOf(surface);
      if (entry.image === undefined) return entry;
      const { image } = entry;
      const instance = entry.idle.pop() ?? (await image.createInstance());
      return instance === undefined ? { reason: UNEQUAL_INSTANCE } : { image, instance };
    },
    giveBack(image, instance, isClean) {
      const idle = ready.get(image)?.idle;
      const isKept = isClean && idle !== undefined && idle.length < MAX_IDLE_INSTANCES && resetToImage(instance, image);
      if (isKept) idle.push(instance);
      else instance.dispose();
    },
    dispose() {
      for (const entry of ready.values()) drop(entry);
      entries.clear();
    },
  };
}

async function hasEqualInstances(image: Image): Promise<boolean> {
  const another = await image.createInstance();
  another?.dispose();
  return another !== undefined;
}
