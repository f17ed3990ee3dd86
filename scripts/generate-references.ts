// Writes the project references of every tsconfig.json from the manifests' workspace dependencies.
// Usage: tsx scripts/generate-references.ts [--check]
//
// With --check nothing is written, and the exit code is 1 when a file is out of date.
import { projectReferences } from "./rules/project-references.js";
import { settleGeneratedFiles } from "./workspace/generated-file.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const isCheck = process.argv.includes("--check");
const files = await projectReferences(readSourceTree());
reportProblems("references", settleGeneratedFiles(files, isCheck, "tsx scripts/generate-references.ts"));
