// Bundles src/prelude.ts and what it imports to one script text and writes it, with its hash, as src/prelude-text.ts.
// Usage: node packages/guest/build/bundle-prelude.mjs
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(packageFolder, "src", "prelude-text.ts");

const bundle = await build({
  entryPoints: [join(packageFolder, "src", "prelude.ts")],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "prelude",
  target: "es2023",
  minify: true,
  legalComments: "none",
  conditions: ["@codemode/source"],
});
// The script's completion value is the prelude's one function; it leaves no global behind.
const text = `(function(){"use strict";${bundle.outputFiles[0].text.trim()}return prelude.installPrelude})()`;
const hash = createHash("sha256").update(text).digest("hex");
const module = `// Written by build/bundle-prelude.mjs.
/** The script that is evaluated in every VM before a cell. Its completion value is the prelude's install function. */
export const PRELUDE_TEXT = ${JSON.stringify(text)};
/** SHA-256 of \`PRELUDE_TEXT\`, hexadecimal. */
export const PRELUDE_HASH = "${hash}";
`;
if (!existsSync(target) || readFileSync(target, "utf8") !== module) writeFileSync(target, module);
