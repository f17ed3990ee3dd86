// Writes the package graph of ARCHITECTURE.md and the package table of README.md from the manifests.
// Usage: tsx scripts/render-graph.ts [--check]
//
// With --check nothing is written, and the exit code is 1 when one of them is out of date.
import { renderedDocuments } from "./rules/rendered-documents.js";
import { settleGeneratedFiles } from "./workspace/generated-file.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const isCheck = process.argv.includes("--check");
const documents = await renderedDocuments(readSourceTree());
reportProblems("graph", settleGeneratedFiles(documents, isCheck, "tsx scripts/render-graph.ts"));
