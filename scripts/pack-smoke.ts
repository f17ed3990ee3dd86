// Uses the packages as a stranger would: packs them, installs the tarballs with npm into an empty project, imports every
// entry, compiles against every declaration, runs a JavaScript and a TypeScript cell and the command line's help.
// Usage: tsx scripts/pack-smoke.ts   (after `npm run types`, which writes dist)
//
// Third-party packages come from npm's cache where it has them, else from the registry.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listPackages } from "./workspace/packages.js";
import { withPackedPackages, type PackedPackage } from "./workspace/pack-packages.js";
import { runOrThrow } from "./workspace/run-program.js";
import { readSourceTree, repositoryRoot } from "./workspace/source-tree.js";

const tree = readSourceTree();
try {
  console.log(await withPackedPackages(tree, smoke));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function smoke(packed: readonly PackedPackage[], temporary: string): Promise<string> {
  const project = join(temporary, "project");
  await mkdir(project);
  const dependencies = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "smoke", private: true, type: "module", dependencies }),
  );
  await copyFile(join(repositoryRoot, "scripts", "smoke", "main.mjs"), join(project, "main.mjs"));
  await runOrThrow("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], project);
  const report = await runOrThrow(process.execPath, ["main.mjs", ...entriesOf()], project);
  await compileConsumer(project);
  await runOrThrow(join(project, "node_modules", ".bin", "codemode"), ["--help"], project);
  return report.trim();
}

/** Compiles a TypeScript consumer of every entry against the shipped declarations, which are checked themselves. */
async function compileConsumer(project: string): Promise<void> {
  const imports = entriesOf().map((entry, index) => `export * as entry${index} from "${entry}";`);
  await writeFile(join(project, "consumer.ts"), imports.join("\n"));
  const compilerOptions = {
    module: "NodeNext",
    target: "ES2023",
    lib: ["ES2023", "ESNext.Disposable"],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(repositoryRoot, "node_modules", "@types")],
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  await runOrThrow("tsc", ["-p", project], project);
}

/** Every published entry by the name consumers import. `testing` needs the consumer's own test runner. */
function entriesOf(): string[] {
  const packages = listPackages(tree).filter(({ name }) => name !== "testing");
  return packages.flatMap(({ manifest }) => {
    const entries = Object.keys(manifest.exports ?? {}).filter((entry) => entry !== "./package.json");
    return entries.map((entry) => manifest.name + entry.slice(".".length));
  });
}
