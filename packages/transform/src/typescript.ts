import type ts from "typescript";
import { CELL_FILE_NAMES } from "@codemode/protocol";
import { loadTypeScript } from "./load-typescript.js";
import { findErasedModuleAccess } from "./typescript-modules.js";
import { moduleAccessProblem } from "./module-access.js";
import { hintFor } from "./source-hints.js";
import { NESTED_TOO_DEEPLY } from "./syntax-error.js";
import type { SourceProblem } from "./source-error.js";

type TypeScript = typeof ts;

/** JavaScript made of TypeScript, with the map back. */
export interface CompiledSource {
  readonly code: string;
  /** Source map, version 3, JSON text. */
  readonly sourceMap: string;
}

export type CompileResult = { readonly compiled: CompiledSource } | { readonly problem: SourceProblem };

/** Deeper trees, such as sums of thousands of terms, take the compiler quadratic time. */
const MAX_TREE_DEPTH = 5_000;

const IDENTIFIER_EXPECTED = 1003;
/** Last line of the compiler's output. */
const MAP_COMMENT = `//# sourceMappingURL=${CELL_FILE_NAMES.javascript}.map`;

/**
 * Compiles a cell without checking types. Loads the compiler at its first use: 92 MB and a third of a second, so call
 * it on one thread only.
 */
export async function compileTypeScript(source: string): Promise<CompileResult> {
  const ts = await loadTypeScript();
  try {
    return compile(ts, source);
  } catch (error) {
    if (error instanceof RangeError) return { problem: { message: NESTED_TOO_DEEPLY } };
    throw error;
  }
}

/** What `transpileModule` does, but what does not parse is not emitted: the emitter asserts on it. */
function compile(ts: TypeScript, source: string): CompileResult {
  const written = new Map<string, string>();
  const program = ts.createProgram({
    rootNames: [CELL_FILE_NAMES.typescript],
    options: compilerOptions(ts),
    host: compilerHost(ts, source, written),
  });
  const file = program.getSourceFile(CELL_FILE_NAMES.typescript);
  if (file === undefined) throw new Error("The TypeScript compiler did not read the cell.");
  const problem = findProblem(ts, file, program.getSyntacticDiagnostics(file));
  if (problem !== undefined) return { problem };
  const after = [(context: ts.TransformationContext) => withoutModuleMarker(ts, context)];
  program.emit(file, undefined, undefined, undefined, { after });
  const output = written.get(CELL_FILE_NAMES.javascript);
  const sourceMap = written.get(`${CELL_FILE_NAMES.javascript}.map`);
  if (output === undefined || sourceMap === undefined) throw new Error("The TypeScript compiler wrote nothing.");
  return { compiled: { code: output.slice(0, output.lastIndexOf(MAP_COMMENT)), sourceMap } };
}

function compilerOptions(ts: TypeScript): ts.CompilerOptions {
  return {
    // The newest language whose decorators are still compiled: the engine has none.
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    // As a module, so that `await` is a keyword at the top level.
    moduleDetection: ts.ModuleDetectionKind.Force,
    // Imports are refused afterwards, so they must not be erased because nothing uses them.
    verbatimModuleSyntax: true,
    isolatedModules: true,
    sourceMap: true,
    newLine: ts.NewLineKind.LineFeed,
    // The cell is the whole world: no library, no packages, no other files.
    noLib: true,
    noResolve: true,
    types: [],
  };
}

/** A file system that holds the cell only. */
function compilerHost(ts: TypeScript, source: string, written: Map<string, string>): ts.CompilerHost {
  return {
    getSourceFile: (name, language) =>
      name === CELL_FILE_NAMES.typescript ? ts.createSourceFile(name, source, language) : undefined,
    writeFile: (name, text) => void written.set(name, text),
    fileExists: (name) => name === CELL_FILE_NAMES.typescript,
    readFile: () => undefined,
    getDefaultLibFileName: () => "",
    getCurrentDirectory: () => "",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
}

/** Why the cell cannot be compiled, judged on its tree before anything is erased. */
function findProblem(
  ts: TypeScript,
  file: ts.SourceFile,
  diagnostics: readonly ts.Diagnostic[],
): SourceProblem | undefined {
  const isAllowed = isOneNamelessFunction(ts, file) ? IDENTIFIER_EXPECTED : undefined;
  const fault = diagnostics.find(({ code }) => code !== isAllowed);
  if (fault !== undefined) return describeDiagnostic(ts, fault);
  const tooDeep = findTooDeep(ts, file);
  if (tooDeep !== undefined) return { message: NESTED_TOO_DEEPLY, offset: tooDeep.getStart(file) };
  const access = findErasedModuleAccess(ts, file);
  return access && moduleAccessProblem(access);
}

/** Takes the `export {}` away that the compiler adds to a module without exports; others were refused before. */
function withoutModuleMarker(ts: TypeScript, { factory }: ts.TransformationContext): ts.Transformer<ts.SourceFile> {
  return (file) =>
    factory.updateSourceFile(
      file,
      file.statements.filter((one) => !ts.isExportDeclaration(one)),
    );
}

function findTooDeep(ts: TypeScript, file: ts.SourceFile): ts.Node | undefined {
  const open: { node: ts.Node; depth: number }[] = [{ node: file, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MAX_TREE_DEPTH) return node;
    ts.forEachChild(node, (child) => void open.push({ node: child, depth: depth + 1 }));
  }
  return undefined;
}

/** `async function () { … }` and nothing else: an error as a statement, but accepted as a source. */
function isOneNamelessFunction(ts: TypeScript, file: ts.SourceFile): boolean {
  const [only, ...others] = file.statements.filter((statement) => !ts.isEmptyStatement(statement));
  return only !== undefined && others.length === 0 && ts.isFunctionDeclaration(only) && !only.name?.text;
}

function describeDiagnostic(ts: TypeScript, { messageText, start, file }: ts.Diagnostic): SourceProblem {
  const text = ts.flattenDiagnosticMessageText(messageText, " ").replace(/\.$/, "");
  const message = `SyntaxError: ${text}`;
  if (start === undefined || file === undefined) return { message };
  const hint = hintFor(file.text, start);
  return { message, offset: start, ...(hint !== undefined && { hint }) };
}
