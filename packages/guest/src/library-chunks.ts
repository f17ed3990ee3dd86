import type { LibraryServices } from "./library-services.js";
import type { LocaleMethods } from "./library/intl/locale-methods.js";

/** What each chunk of the library gives. Globals stand under their names. */
export interface ChunkExports {
  readonly console: { readonly console: object };
  readonly intl: { readonly Intl: object; readonly methods: LocaleMethods };
  readonly url: Record<string, unknown>;
  readonly "text-coders": Record<string, unknown>;
  readonly "structured-clone": { readonly structuredClone: unknown };
  readonly crypto: { readonly crypto: object };
  readonly abort: Record<string, unknown>;
}

export type ChunkName = keyof ChunkExports;
export type InstallChunk<Name extends ChunkName> = (services: LibraryServices) => ChunkExports[Name];
