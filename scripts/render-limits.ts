// Writes the table of docs/limits.md from the docstrings of the limits. Usage: tsx scripts/render-limits.ts [--check]
//
// With --check nothing is written, and the exit code is 1 when the table is out of date.
import { format } from "prettier";
import { renderLimitsTable } from "./rules/limits-table.js";
import { replaceBlock, settleGeneratedFiles } from "./workspace/generated-file.js";
import { fileText } from "./workspace/packages.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const path = "docs/limits.md";
const tree = readSourceTree();
const table = renderLimitsTable(fileText(tree, "packages/protocol/src/limits.ts"), "CellLimits");
const text = await format(replaceBlock(fileText(tree, path), "limits table", table), { parser: "markdown" });
const isCheck = process.argv.includes("--check");
reportProblems("limits", settleGeneratedFiles([{ path, text }], isCheck, "tsx scripts/render-limits.ts"));
