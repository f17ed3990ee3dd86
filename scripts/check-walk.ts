// Checks that every file and folder that ARCHITECTURE.md names exists. Usage: tsx scripts/check-walk.ts
import { checkNamedPaths } from "./rules/named-paths.js";
import { fileText } from "./workspace/packages.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const tree = readSourceTree();
reportProblems("walk", checkNamedPaths(tree, "ARCHITECTURE.md", fileText(tree, "ARCHITECTURE.md")));
