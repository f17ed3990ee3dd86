// Checks that every file and folder of the repository that the documents name exists. Usage: tsx scripts/check-walk.ts
import { checkNamedPaths } from "./rules/named-paths.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const tree = readSourceTree();
const documents = [...tree].filter(([path]) => /^[^/]+\.md$|^docs\/(?!decisions\/).*\.md$/.test(path));
reportProblems(
  "walk",
  documents.flatMap(([path, text]) => checkNamedPaths(tree, path, text)),
);
