import type { GuestSurface, WorkerCommand } from "@codemode/protocol";

/** Surfaces one worker keeps. */
const MAX_KNOWN = 8;

/** Their texts, each made once however many workers get it. */
const texts = new WeakMap<GuestSurface, string>();

/** The surfaces that one worker has been told: each crosses once, so that a start costs nothing in its size. */
export interface KnownSurfaces {
  /** What the worker has to be told before a cell can start from the surface; undefined when it knows it. */
  introduce(surface: GuestSurface): Extract<WorkerCommand, { type: "surface" }> | undefined;
}

export function createKnownSurfaces(): KnownSurfaces {
  /** Least recently used first. */
  const known = new Set<string>();
  return {
    introduce(surface) {
      const { fingerprint } = surface;
      if (known.delete(fingerprint)) {
        known.add(fingerprint);
        return undefined;
      }
      const text = textOf(surface);
      known.add(fingerprint);
      const [oldest] = known;
      if (known.size <= MAX_KNOWN || oldest === undefined) return { type: "surface", fingerprint, text };
      known.delete(oldest);
      return { type: "surface", fingerprint, text, forget: oldest };
    },
  };
}

function textOf(surface: GuestSurface): string {
  const made = texts.get(surface) ?? JSON.stringify(surface);
  texts.set(surface, made);
  return made;
}
