// Writes the performance table of README.md from the last committed report. Usage: tsx scripts/render-performance.ts
// [--check]. The report comes from `npm run bench -- --json docs/performance/latest.json`.
//
// With --check nothing is written, and the exit code is 1 when the table is out of date.
import { format } from "prettier";
import { renderMarkdown } from "./bench/src/render-markdown.js";
import type { Report } from "./bench/src/report.js";
import { replaceBlock, settleGeneratedFiles } from "./workspace/generated-file.js";
import { fileText } from "./workspace/packages.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const path = "README.md";
const tree = readSourceTree();
const report = JSON.parse(fileText(tree, "docs/performance/latest.json")) as Report;
const table = replaceBlock(fileText(tree, path), "performance table", renderMarkdown(report));
const text = await format(table, { parser: "markdown" });
const isCheck = process.argv.includes("--check");
reportProblems("performance", settleGeneratedFiles([{ path, text }], isCheck, "tsx scripts/render-performance.ts"));
