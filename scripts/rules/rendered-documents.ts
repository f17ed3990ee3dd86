import { format } from "prettier";
import { replaceBlock, type GeneratedFile } from "../workspace/generated-file.js";
import { fileText, listPackages } from "../workspace/packages.js";
import type { SourceTree } from "../workspace/source-tree.js";
import { renderLayerGraph } from "./layer-graph.js";
import { renderPackageTable } from "./package-table.js";

/** The documents that show the packages, as the manifests say they are. */
export async function renderedDocuments(tree: SourceTree): Promise<GeneratedFile[]> {
  const packages = listPackages(tree);
  return Promise.all([
    withBlock(tree, "ARCHITECTURE.md", ["layer graph", renderLayerGraph(packages)]),
    withBlock(tree, "README.md", ["package table", renderPackageTable(packages)]),
  ]);
}

async function withBlock(tree: SourceTree, path: string, [name, block]: [string, string]): Promise<GeneratedFile> {
  return { path, text: await format(replaceBlock(fileText(tree, path), name, block), { parser: "markdown" }) };
}
