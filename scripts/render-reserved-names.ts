// Writes packages/catalog/src/reserved-names.ts from the real guest. Usage: tsx scripts/render-reserved-names.ts [--check]
//
// With --check nothing is written, and the exit code is 1 when the file is out of date. Needs built packages.
import { format } from "prettier";
import { readReservedNames, renderReservedNames } from "./rules/reserved-names.js";
import { settleGeneratedFiles } from "./workspace/generated-file.js";
import { reportProblems } from "./workspace/problems.js";

const path = "packages/catalog/src/reserved-names.ts";
const text = await format(renderReservedNames(await readReservedNames()), { parser: "typescript", printWidth: 120 });
const isCheck = process.argv.includes("--check");
reportProblems(
  "reserved names",
  settleGeneratedFiles([{ path, text }], isCheck, "tsx scripts/render-reserved-names.ts"),
);
