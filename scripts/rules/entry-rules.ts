import ts from "typescript";
import type { Problem } from "../workspace/problems.js";

const MAX_LINES = 40;

/** Findings about a package's `src/index.ts`: explicit named re-exports and nothing else, on at most 40 lines. */
export function checkEntryFile(file: string, text: string): Problem[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const problems: Problem[] = source.statements
    .filter((statement) => !isNamedReExport(statement))
    .map((statement) => ({
      file,
      line: source.getLineAndCharacterOfPosition(statement.getStart(source)).line + 1,
      message: "is not a named re-export: an entry holds nothing else",
    }));
  const lines = text.trimEnd().split("\n").length;
  if (lines > MAX_LINES) problems.push({ file, message: `has ${lines} lines: an entry has at most ${MAX_LINES}` });
  return problems;
}

function isNamedReExport(statement: ts.Statement): boolean {
  return (
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier !== undefined &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
  );
}
