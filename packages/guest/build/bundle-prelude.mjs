// Bundles src/prelude.ts, and each module of src/chunks with what it imports, to script texts and writes them, with one
// hash over all, as src/prelude-text.ts. Usage: node packages/guest/build/bundle-prelude.mjs
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { sharedPrimordials } from "./shared-primordials.mjs";

const sourceFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
const target = join(sourceFolder, "prelude-text.ts");

/**
 * A script whose completion value is a function that returns one export of a module. The bundle hands the export out
 * itself: exports of its own would look up `Object.defineProperty`, which a cell may have replaced.
 */
async function bundle(entry, exported, plugins = []) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${exported} } from "./${entry}"; give(${exported});`,
      resolveDir: sourceFolder,
      loader: "js",
    },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2023",
    minify: true,
    legalComments: "none",
    conditions: ["@codemode/source"],
    plugins,
  });
  const body = outputFiles[0].text.trim();
  return `(function(shared){"use strict";let given;const give=(value)=>{given=value};${body}return given})`;
}

const prelude = `${await bundle("prelude.ts", "installPrelude")}()`;

const chunks = {};
const plugins = [await sharedPrimordials(sourceFolder)];
for (const file of readdirSync(join(sourceFolder, "chunks")).sort()) {
  chunks[basename(file, ".ts")] = await bundle(`chunks/${file}`, "install", plugins);
}

const hash = createHash("sha256")
  .update(JSON.stringify([prelude, chunks]))
  .digest("hex");
const module = `// Written by build/bundle-prelude.mjs.
/** The script that is evaluated in every VM before a cell. Its completion value is the prelude's install function. */
export const PRELUDE_TEXT = ${JSON.stringify(prelude)};
/** Scripts of the guest library by their names; the prelude asks for one when a cell first uses it. */
export const LIBRARY_CHUNKS: Readonly<Record<string, string>> = ${JSON.stringify(chunks)};
/** SHA-256 of both, hexadecimal. */
export const PRELUDE_HASH = "${hash}";
`;
if (!existsSync(target) || readFileSync(target, "utf8") !== module) writeFileSync(target, module);
