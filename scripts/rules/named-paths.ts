import type { Problem } from "../workspace/problems.js";
import type { SourceTree } from "../workspace/source-tree.js";

const REPOSITORY_PATH = /(?<![\w/.-])(?:packages|scripts|examples|docs)\/[\w./-]*[\w/]/g;

/** Findings about paths that a document names and the repository does not have. */
export function checkNamedPaths(tree: SourceTree, document: string, text: string): Problem[] {
  return text.split("\n").flatMap((lineText, index) => {
    const named = lineText.match(REPOSITORY_PATH) ?? [];
    const missing = named.filter((path) => !exists(tree, path.replace(/\/$/, "")));
    return missing.map((path) => ({ file: document, line: index + 1, message: `names ${path}, which does not exist` }));
  });
}

function exists(tree: SourceTree, path: string): boolean {
  return tree.has(path) || [...tree.keys()].some((file) => file.startsWith(`${path}/`));
}
