// Writes the package graph of ARCHITECTURE.md from the manifests. Usage: tsx scripts/render-graph.ts [--check]
//
// With --check nothing is written, and the exit code is 1 when the graph is out of date.
import { renderLayerGraph } from "./rules/layer-graph.js";
import { replaceBlock, settleGeneratedFiles } from "./workspace/generated-file.js";
import { fileText, listPackages } from "./workspace/packages.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const path = "ARCHITECTURE.md";
const tree = readSourceTree();
const text = replaceBlock(fileText(tree, path), "layer graph", renderLayerGraph(listPackages(tree)));
const isCheck = process.argv.includes("--check");
reportProblems("graph", settleGeneratedFiles([{ path, text }], isCheck, "tsx scripts/render-graph.ts"));
