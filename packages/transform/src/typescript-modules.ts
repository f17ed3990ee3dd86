import type ts from "typescript";
import type { ModuleAccess } from "./module-access.js";

type TypeScript = typeof ts;

/**
 * The first module syntax of a TypeScript tree that compiling would erase, such as `import type` and
 * `import x = require()`. What compiling keeps, `import()` and calls of `require` among it, is found in the JavaScript.
 */
export function findErasedModuleAccess(ts: TypeScript, file: ts.SourceFile): ModuleAccess | undefined {
  for (const statement of file.statements) {
    const what = moduleSyntax(ts, statement);
    if (what !== undefined) return { what, offset: statement.getStart(file) };
  }
  return undefined;
}

function moduleSyntax(ts: TypeScript, statement: ts.Statement): "import" | "export" | undefined {
  if (ts.isImportDeclaration(statement)) return "import";
  if (ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference)) {
    return "import";
  }
  if (ts.isExportDeclaration(statement) || ts.isNamespaceExportDeclaration(statement)) return "export";
  if (ts.isExportAssignment(statement)) return statement.isExportEquals === true ? "export" : undefined;
  return ts.canHaveModifiers(statement) && isPlainExport(ts, statement) ? "export" : undefined;
}

/** `export` as a modifier, but `export default function`, which the source's form decides about. */
function isPlainExport(ts: TypeScript, statement: ts.Statement & ts.HasModifiers): boolean {
  const kinds = ts.getModifiers(statement)?.map(({ kind }) => kind) ?? [];
  if (!kinds.includes(ts.SyntaxKind.ExportKeyword)) return false;
  return !(kinds.includes(ts.SyntaxKind.DefaultKeyword) && ts.isFunctionDeclaration(statement));
}
