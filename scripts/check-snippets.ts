// Compiles every ```ts block of the READMEs and of docs/ against the packages' present sources.
// Usage: tsx scripts/check-snippets.ts
import { compileSnippets } from "./rules/compile-snippets.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const tree = readSourceTree();
const documents = [...tree.keys()].filter((path) =>
  /^(README\.md|(packages|examples)\/[^/]+\/README\.md|docs\/.*\.md)$/.test(path),
);
reportProblems("snippets", compileSnippets(tree, documents));
