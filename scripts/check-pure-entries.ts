// Proves on the built output that the entries of pure packages load no Node built-in, whatever they import in turn.
// Usage: tsx scripts/check-pure-entries.ts   (after `npm run build`)
import { reportProblems } from "./workspace/problems.js";
import { findBuiltinLoads } from "./rules/pure-entries.js";
import { readSourceTree } from "./workspace/source-tree.js";

reportProblems("pure-entries", await findBuiltinLoads(readSourceTree()));
