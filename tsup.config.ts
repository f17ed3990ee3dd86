import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { thirdPartyNotices } from "./scripts/build/third-party-notices.js";

const root = import.meta.dirname;
/** The package whose `entry.ts` threads run. */
const THREAD_PACKAGE = "worker";

/** Entry points of one package: every `./dist/*.js` its manifest names, mapped back to `src`. */
function entriesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, string | { default: string }>;
    bin?: Record<string, string>;
  };
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [] : [target.default],
  );
  return [...targets, ...Object.values(manifest.bin ?? {})].map((file) =>
    join(folder, file.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts")),
  );
}

/** Folders with a manifest below `packages`, `scripts` or `examples`. */
function membersOf(parent: string): string[] {
  const folder = join(root, parent);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((member) => existsSync(join(member, "package.json")));
}

function build(folder: string, entry: string[]): Options {
  return {
    entry,
    outDir: join(folder, "dist"),
    format: "esm",
    platform: "node",
    target: "node20",
    clean: false,
    dts: false,
    sourcemap: true,
    skipNodeModulesBundle: true,
    silent: true,
  };
}

/**
 * A thread's module as one file with all that it imports: a cold thread loads it in four fifths of the time. The compiler
 * stays outside.
 */
function buildThread(folder: string): Options {
  return {
    ...build(folder, [join(folder, "src", "entry.ts")]),
    skipNodeModulesBundle: false,
    external: ["typescript"],
    noExternal: [/^(?!typescript$)/],
    splitting: false,
    esbuildOptions(options) {
      options.conditions = ["@codemode/source"];
    },
    esbuildPlugins: [thirdPartyNotices(join(folder, "dist"))],
  };
}

function buildPackage(folder: string): Options[] {
  const entries = entriesOf(folder);
  if (basename(folder) !== THREAD_PACKAGE) return [build(folder, entries)];
  const others = entries.filter((entry) => basename(entry) !== "entry.ts");
  return [build(folder, others), buildThread(folder)];
}

/** Every package, every script with a manifest and every example; with `--env.PACKAGE <name>` that package alone. */
export default defineConfig((options) => {
  const only = options.env?.["PACKAGE"];
  if (only !== undefined) return buildPackage(join(root, "packages", only));
  return [
    ...membersOf("packages").flatMap(buildPackage),
    ...membersOf("scripts").map((folder) => build(folder, entriesOf(folder))),
    ...membersOf("examples").map((folder) => build(folder, [join(folder, "main.ts")])),
  ];
});
