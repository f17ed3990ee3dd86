import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";

const packagesFolder = join(import.meta.dirname, "packages");

/** Entry points of one package: every `./dist/*.js` its manifest names, mapped back to `src`. */
function entriesOf(name: string): string[] {
  const manifest = JSON.parse(readFileSync(join(packagesFolder, name, "package.json"), "utf8")) as {
    exports: Record<string, string | { default: string }>;
    bin?: Record<string, string>;
  };
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [] : [target.default],
  );
  return [...targets, ...Object.values(manifest.bin ?? {})].map((file) =>
    join(packagesFolder, name, file.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts")),
  );
}

export default defineConfig((options) => {
  const only = options.env?.["PACKAGE"];
  const names = readdirSync(packagesFolder).filter((name) => only === undefined || only === name);
  return names.map(
    (name): Options => ({
      entry: entriesOf(name),
      outDir: join(packagesFolder, name, "dist"),
      format: "esm",
      platform: "node",
      target: "node20",
      clean: false,
      dts: false,
      sourcemap: true,
      skipNodeModulesBundle: true,
      silent: true,
    }),
  );
});
