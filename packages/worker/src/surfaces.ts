import type { GuestSurface, WorkerCommand } from "@codemode/protocol";

/** The surfaces the host has told this worker. */
export interface Surfaces {
  add(command: Extract<WorkerCommand, { type: "surface" }>): void;
  /** Throws for one that the host did not tell, or had forgotten. */
  named(fingerprint: string): GuestSurface;
}

export function createSurfaces(): Surfaces {
  const known = new Map<string, GuestSurface>();
  return {
    add({ fingerprint, text, forget }) {
      if (forget !== undefined) known.delete(forget);
      known.set(fingerprint, readWhenUsed(fingerprint, text));
    },
    named(fingerprint) {
      const surface = known.get(fingerprint);
      if (surface === undefined) throw new Error(`The worker has not been told the surface ${fingerprint}.`);
      return surface;
    },
  };
}

/** Most cells only need the name of their surface, because its image is there; so the text is read each time anew. */
function readWhenUsed(fingerprint: string, text: string): GuestSurface & { toJSON(): unknown } {
  const read = () => JSON.parse(text) as GuestSurface;
  return {
    fingerprint,
    toJSON: read,
    get tools() {
      return read().tools;
    },
    get mcp() {
      return read().mcp;
    },
    get apiFiles() {
      return read().apiFiles;
    },
  };
}
