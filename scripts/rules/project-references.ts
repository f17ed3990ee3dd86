import { format } from "prettier";
import { TESTING_PACKAGE } from "../layers.js";
import type { GeneratedFile } from "../workspace/generated-file.js";
import { fileText, internalDependencies, listPackages } from "../workspace/packages.js";
import type { SourceTree } from "../workspace/source-tree.js";

interface ProjectFile {
  references?: { path: string }[];
  [field: string]: unknown;
}

/** Every tsconfig.json of the workspace with the references its manifest asks for. */
export async function projectReferences(tree: SourceTree): Promise<GeneratedFile[]> {
  const packages = listPackages(tree);
  const projects = packages.map(({ folder, manifest }) => {
    const names = internalDependencies(manifest).filter((name) => name !== TESTING_PACKAGE);
    return withReferences(
      tree,
      `${folder}/tsconfig.json`,
      names.map((name) => `../${name}`),
    );
  });
  return Promise.all([
    ...projects,
    withReferences(
      tree,
      "tsconfig.json",
      packages.map(({ folder }) => folder),
    ),
  ]);
}

/** Tests are compiled on their own, so a package refers to everything it declares but `testing`. */
async function withReferences(tree: SourceTree, path: string, targets: readonly string[]): Promise<GeneratedFile> {
  const project = JSON.parse(fileText(tree, path)) as ProjectFile;
  const references = targets.toSorted().map((target) => ({ path: target }));
  const text = JSON.stringify({ ...project, references }, null, 2).replace(/\{\s+("path": "[^"]+")\s+\}/g, "{ $1 }");
  return { path, text: await format(text, { parser: "json", printWidth: 120 }) };
}
