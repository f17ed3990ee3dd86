import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Files of the repository, real or made up: path relative to the root with forward slashes, to text. */
export type SourceTree = ReadonlyMap<string, string>;

export const repositoryRoot = join(import.meta.dirname, "..", "..");

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "coverage", ".git", ".cache"]);
const KEPT_NAMES = /(\.(ts|mts|mjs|js|json|md)|^LICENSE)$/;

/** Reads every source, manifest and document below `root`; build output and installed packages are left out. */
export function readSourceTree(root: string = repositoryRoot): SourceTree {
  const tree = new Map<string, string>();
  collect(root, "", tree);
  return tree;
}

function collect(root: string, folder: string, tree: Map<string, string>): void {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) collect(root, path, tree);
    if (entry.isFile() && KEPT_NAMES.test(entry.name)) tree.set(path, readFileSync(join(root, path), "utf8"));
  }
}
