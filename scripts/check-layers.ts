// Compares manifests and imports with the table of layers. Usage: tsx scripts/check-layers.ts
//
// Finds imports that point up or sideways, undeclared and deep imports, import cycles between files of one package,
// third-party packages outside their one owner, and Node built-ins in pure packages. Exits with 1 when there is one.
import { checkImports } from "./rules/check-imports.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

reportProblems("layers", checkImports(readSourceTree()));
