// The guest library is evaluated chunk by chunk when a cell first uses one of its globals or methods; a cell that uses none
// of it pays for the accessors and stubs below only.
import type { HostFunctions } from "./host-functions.js";
import type { ChunkExports, ChunkName, InstallChunk } from "./library-chunks.js";
import type { LibraryServices } from "./library-services.js";
import { createObject, defineMethod, defineProperty, getOwnPropertyDescriptor } from "./library-primordials.js";
import { sharedPrimordials } from "./shared-primordials.js";

/** Gives what a chunk exports, evaluating it when it is first asked for. */
export type Library = <Name extends ChunkName>(name: Name) => ChunkExports[Name];

/** What a chunk evaluates to: it gets built-ins by their names. */
type Evaluated = (shared: (name: string) => unknown) => InstallChunk<ChunkName>;

export function createLibrary(load: HostFunctions["load"], services: LibraryServices): Library {
  const loaded = createObject(null) as Record<string, unknown>;
  let received: unknown;
  const receive = (install: unknown): void => {
    received = install;
  };
  return (name) => {
    const known = loaded[name];
    if (known !== undefined) return known as never;
    load(name, receive);
    const primordials = sharedPrimordials() as Record<string, unknown>;
    const install = (received as Evaluated)((primordial) => primordials[primordial]);
    const exported = install(services);
    loaded[name] = exported;
    return exported as never;
  };
}

/** Globals of each chunk. */
const GLOBALS: readonly { readonly chunk: ChunkName; readonly names: readonly string[] }[] = [
  { chunk: "console", names: ["console"] },
  { chunk: "intl", names: ["Intl"] },
  { chunk: "url", names: ["URL", "URLSearchParams"] },
  { chunk: "text-coders", names: ["TextDecoder", "TextEncoder"] },
  { chunk: "structured-clone", names: ["structuredClone"] },
  { chunk: "crypto", names: ["crypto"] },
  { chunk: "abort", names: ["AbortController", "AbortSignal"] },
];

/** Each global is an accessor until it is first used, and an ordinary, replaceable property from then on. */
export function installLibraryGlobals(library: Library): void {
  for (let index = 0; index < GLOBALS.length; index++) {
    const group = GLOBALS[index] as (typeof GLOBALS)[number];
    for (let item = 0; item < group.names.length; item++) {
      installAccessor(group.names[item] as string, () => library(group.chunk));
    }
  }
}

function installAccessor(name: string, exportsOf: () => Record<string, unknown>): void {
  const target = globalThis;
  const accessor = createObject(null) as PropertyDescriptor;
  accessor.configurable = true;
  accessor.get = () => {
    const value = exportsOf()[name];
    if (getOwnPropertyDescriptor(target, name)?.get === accessor.get) defineMethod(target, name, value);
    return value;
  };
  accessor.set = (value: unknown) => defineMethod(target, name, value);
  defineProperty(target, name, accessor);
}
