import { posix } from "node:path";
import { fileText, listPackages, type Manifest, type WorkspacePackage } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";
import type { SourceTree } from "../workspace/source-tree.js";
import { findFileCycles } from "./file-cycles.js";
import { importViolation, type ImportContext } from "./import-rules.js";
import { importsOf } from "./imports-of.js";
import { checkManifestLayers } from "./layer-rules.js";

const CODE_FILE = /\.(ts|mts|mjs|js)$/;
/** Programs for the VM and recorded data are input of tests, not code of the package. */
const TEST_INPUT = /\/(fixtures\/guest|fixtures\/cases|golden)\//;

/** Every finding of the layer check over a tree: manifests, imports and cycles between files of one package. */
export function checkImports(tree: SourceTree): Problem[] {
  const packages = listPackages(tree);
  const applications = [...listPackages(tree, "examples"), ...listPackages(tree, "scripts")];
  const shared = {
    packages: new Map(packages.map((each) => [each.name, each])),
    root: JSON.parse(fileText(tree, "package.json")) as Manifest,
  };
  return [
    ...packages.flatMap((each) => checkManifestLayers(each)),
    ...packages.flatMap((owner) => checkSources(tree, { ...shared, owner, isApplication: false })),
    ...applications.flatMap((owner) => checkSources(tree, { ...shared, owner, isApplication: true })),
  ];
}

function checkSources(tree: SourceTree, shared: Omit<ImportContext, "file">): Problem[] {
  const problems: Problem[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of sourcesOf(tree, shared.owner)) {
    const imports = importsOf(file, text);
    graph.set(
      file,
      imports.flatMap(({ specifier }) => resolveRelative(tree, file, specifier)),
    );
    for (const { specifier, line } of imports) {
      const message = importViolation(specifier, { ...shared, file });
      if (message !== undefined) problems.push({ file, line, message });
    }
  }
  return [...problems, ...findFileCycles(graph)];
}

function sourcesOf(tree: SourceTree, owner: WorkspacePackage): [string, string][] {
  return [...tree].filter(
    ([path]) => path.startsWith(`${owner.folder}/`) && CODE_FILE.test(path) && !TEST_INPUT.test(path),
  );
}

/** The file of the tree a relative import means, if there is one; `.js` stands for its `.ts` source. */
function resolveRelative(tree: SourceTree, file: string, specifier: string): string[] {
  if (!specifier.startsWith(".")) return [];
  const target = posix.join(posix.dirname(file), specifier);
  const candidates = [target, target.replace(/\.js$/, ".ts"), target.replace(/\.mjs$/, ".mts")];
  return candidates.filter((candidate) => tree.has(candidate)).slice(0, 1);
}
