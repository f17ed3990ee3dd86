import ts from "typescript";

/** One module a file names. */
export interface ImportedModule {
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
}

/** Every module a source names: imports, re-exports, import types, `import()` and `require()`, type-only ones too. */
export function importsOf(path: string, text: string): ImportedModule[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const found: ImportedModule[] = [];
  const visit = (node: ts.Node): void => {
    const named = namedModule(node);
    if (named !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(named.getStart(source));
      found.push({ specifier: named.text, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function namedModule(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return literal(node.expression);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined;
  if (ts.isCallExpression(node) && loadsModule(node.expression)) return literal(node.arguments[0]);
  return undefined;
}

function loadsModule(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function literal(node: ts.Node | undefined): ts.StringLiteralLike | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node : undefined;
}
