import { builtinModules } from "node:module";
import { posix } from "node:path";
import { build, type Metafile } from "esbuild";
import { LAYERS } from "../layers.js";
import { listPackages, type WorkspacePackage } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";
import { repositoryRoot, type SourceTree } from "../workspace/source-tree.js";

/**
 * Node built-ins that a pure package's built entries load when they are imported. Each is followed through all static
 * imports, into other packages too; what `import()` loads later is the caller's choice and does not count.
 */
export async function findBuiltinLoads(tree: SourceTree, root: string = repositoryRoot): Promise<Problem[]> {
  const pure = listPackages(tree).filter(({ name }) => LAYERS[name]?.isPure === true);
  return (await Promise.all(pure.map((each) => loadsOf(each, root)))).flat();
}

async function loadsOf({ folder, manifest }: WorkspacePackage, root: string): Promise<Problem[]> {
  const targets = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === "string" ? [] : [target["default"] ?? ""],
  );
  const entries = targets.map((file) => posix.join(folder, file));
  const { metafile } = await build({
    entryPoints: entries,
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    outdir: "unused",
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  return filesLoadedAtOnce(metafile, entries).flatMap((file) =>
    staticImports(metafile, file)
      .filter((path) => path.startsWith("node:") || builtinModules.includes(path))
      .map((path) => ({ file: folder, message: `loads ${path} through ${file}: pure packages load no Node built-in` })),
  );
}

/** Files of the bundle that static imports reach from the entries. */
function filesLoadedAtOnce(metafile: Metafile, entries: readonly string[]): string[] {
  const reached = new Set(entries);
  for (const file of reached)
    for (const next of staticImports(metafile, file)) if (next in metafile.inputs) reached.add(next);
  return [...reached];
}

function staticImports(metafile: Metafile, file: string): string[] {
  const imports = metafile.inputs[file]?.imports ?? [];
  return imports.filter(({ kind }) => kind !== "dynamic-import").map(({ path }) => path);
}
