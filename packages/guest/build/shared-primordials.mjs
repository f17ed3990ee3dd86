import { join } from "node:path";
import { build } from "esbuild";

const MODULE = /\/library-primordials\.js$/;

/**
 * Gives chunks of the guest library the built-ins that the prelude captured, in place of the module that captures them: a
 * chunk is evaluated after a cell started, when they may have been replaced. A chunk finds `shared` in scope, which gives one
 * by its name.
 */
export async function sharedPrimordials(sourceFolder) {
  const { metafile } = await build({
    entryPoints: [join(sourceFolder, "library-primordials.ts")],
    bundle: true,
    write: false,
    format: "esm",
    metafile: true,
  });
  const names = Object.values(metafile.outputs)[0].exports;
  // Marked as pure calls, so that the bundler leaves out those a chunk does not use.
  const contents = names.map((name) => `export const ${name} = /* @__PURE__ */ shared("${name}");`).join("\n");
  return {
    name: "shared-primordials",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: MODULE }, () => ({ path: "shared", namespace: "primordials" }));
      onLoad({ filter: /.*/, namespace: "primordials" }, () => ({ contents }));
    },
  };
}
