// Writes the tables of docs/limits.md from the docstrings of the limits. Usage: tsx scripts/render-limits.ts [--check]
//
// With --check nothing is written, and the exit code is 1 when the table is out of date.
import { format } from "prettier";
import { renderFixedLimit, renderLimitsTable } from "./rules/limits-table.js";
import { replaceBlock, settleGeneratedFiles } from "./workspace/generated-file.js";
import { fileText } from "./workspace/packages.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const path = "docs/limits.md";
/** Limits that no configuration changes, where they are declared. */
const FIXED_LIMITS = [
  ["packages/guest/src/step-limits.ts", "MAX_STEP_REQUESTS"],
  ["packages/guest/src/step-limits.ts", "MAX_STEP_YIELDS"],
  ["packages/guest/src/step-limits.ts", "MAX_STEP_CHARS"],
  ["packages/core/src/dispatch.ts", "MAX_OUTSTANDING_TIMERS"],
  ["packages/core/src/dispatch.ts", "MAX_QUEUED_CALLS"],
] as const;
const tree = readSourceTree();
const table = renderLimitsTable(fileText(tree, "packages/protocol/src/limits.ts"), "CellLimits");
const fixed = [
  "| what it bounds | at most |",
  "| --- | --- |",
  ...FIXED_LIMITS.map(([file, constant]) => renderFixedLimit(fileText(tree, file), constant)),
].join("\n");
const document = replaceBlock(replaceBlock(fileText(tree, path), "limits table", table), "fixed limits", fixed);
const text = await format(document, { parser: "markdown" });
const isCheck = process.argv.includes("--check");
reportProblems("limits", settleGeneratedFiles([{ path, text }], isCheck, "tsx scripts/render-limits.ts"));
