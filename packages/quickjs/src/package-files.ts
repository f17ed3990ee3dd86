import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Path of the engine's bytes. */
export function enginePath(): string {
  return createRequire(manifestPath()).resolve("quickjs-wasi/quickjs.wasm");
}

/** Path of the base, which `build/bake-base.mjs` writes. */
export function basePath(): string {
  return join(dirname(manifestPath()), "dist", "base.bin");
}

/** By the package's name, so that it is found from wherever this code was bundled to. */
function manifestPath(): string {
  return createRequire(import.meta.url).resolve("@codemode/quickjs/package.json");
}
