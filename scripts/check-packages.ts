// Checks that every package is made alike: manifest fields, README sections, licence, entry file, versions.
// Usage: tsx scripts/check-packages.ts
import { checkPackages } from "./rules/package-rules.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

reportProblems("packages", checkPackages(readSourceTree()));
