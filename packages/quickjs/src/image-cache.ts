import type { GuestSurface } from "@codemode/protocol";
import { buildImage, resetToImage, type Image } from "./image.js";
import type { EngineInstance, InstanceOptions } from "./instance.js";

const MAX_IMAGES = 8;
const MAX_IDLE_INSTANCES = 2;

/** The images of one runtime, least recently used first out, each with instances that are ready for a cell. */
export interface ImageCache {
  /** The image of a surface; undefined when this engine cannot have images. @throws {CodeModeError} `runtime_unavailable`. */
  imageOf(surface: GuestSurface): Promise<Image | undefined>;
  /** An instance that is equal to the image. Undefined when the engine made one that is not. */
  take(image: Image): Promise<EngineInstance | undefined>;
  /** Takes an instance back: resets it for the next cell, or drops it. */
  giveBack(image: Image, instance: EngineInstance, isClean: boolean): void;
  dispose(): void;
}

interface Entry {
  readonly image: Image;
  readonly idle: EngineInstance[];
}

export function createImageCache(options: InstanceOptions): ImageCache {
  const entries = new Map<string, Promise<Entry | undefined>>();
  const ready = new Map<Image, Entry>();

  async function build(surface: GuestSurface): Promise<Entry | undefined> {
    const built = await buildImage(surface, options);
    if (built === undefined) return undefined;
    const entry: Entry = { image: built.image, idle: [built.instance] };
    ready.set(entry.image, entry);
    return entry;
  }

  function evict(): void {
    for (const [fingerprint, entry] of entries) {
      if (entries.size <= MAX_IMAGES) return;
      entries.delete(fingerprint);
      void entry.then(drop, () => {});
    }
  }

  function drop(entry: Entry | undefined): void {
    if (entry === undefined) return;
    ready.delete(entry.image);
    for (const instance of entry.idle.splice(0)) instance.dispose();
  }

  return {
    async imageOf(surface) {
      const { fingerprint } = surface;
      const known = entries.get(fingerprint) ?? build(surface);
      entries.delete(fingerprint);
      entries.set(fingerprint, known);
      evict();
      try {
        return (await known)?.image;
      } catch (error) {
        entries.delete(fingerprint);
        throw error;
      }
    },
    take: async (image) => ready.get(image)?.idle.pop() ?? image.createInstance(),
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
