import { dirname, join } from "node:path";
import ts from "typescript";
import { SCOPE } from "../layers.js";
import { codeBlocks } from "../workspace/markdown.js";
import { listPackages } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";
import { repositoryRoot, type SourceTree } from "../workspace/source-tree.js";

/** A ts block of a document, as a module of its own that exists in memory only. */
interface Snippet {
  readonly document: string;
  readonly firstLine: number;
  /** Absolute path it is compiled at: beside its document, so that it resolves what its package may use. */
  readonly path: string;
  readonly text: string;
}

/** Type errors of every ```ts block of the given documents, against the packages' present sources. */
export function compileSnippets(tree: SourceTree, documents: readonly string[]): Problem[] {
  const snippets = documents.flatMap((document) => snippetsOf(document, tree.get(document) ?? ""));
  const byPath = new Map(snippets.map((snippet) => [snippet.path, snippet]));
  const options = snippetOptions(tree);
  const program = ts.createProgram({ rootNames: [...byPath.keys()], options, host: hostWith(options, byPath) });
  return snippets.flatMap((snippet) => {
    const source = program.getSourceFile(snippet.path);
    if (source === undefined) return [];
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map((diagnostic) => toProblem(snippet, source, diagnostic));
  });
}

function snippetsOf(document: string, text: string): Snippet[] {
  const blocks = codeBlocks(text).filter(({ language }) => language === "ts");
  return blocks.map((block) => ({
    document,
    firstLine: block.line,
    path: join(repositoryRoot, dirname(document), `snippet-of-line-${block.line}.ts`),
    text: `${block.text}\nexport {};\n`,
  }));
}

/** Compiler options of the tests, with every package found by name from anywhere. */
function snippetOptions(tree: SourceTree): ts.CompilerOptions {
  const config = ts.readConfigFile(join(repositoryRoot, "tsconfig.tests.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, repositoryRoot);
  const paths = listPackages(tree).map(({ name }) => [
    `${SCOPE}${name}`,
    [join(repositoryRoot, "packages", name, "src/index.ts")],
  ]);
  return { ...options, paths: Object.fromEntries(paths) as Record<string, string[]> };
}

function hostWith(options: ts.CompilerOptions, snippets: ReadonlyMap<string, Snippet>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (path) => snippets.has(path) || host.fileExists(path),
    readFile: (path) => snippets.get(path)?.text ?? host.readFile(path),
    getSourceFile: (path, languageOptions, ...rest) => {
      const snippet = snippets.get(path);
      if (snippet === undefined) return host.getSourceFile(path, languageOptions, ...rest);
      return ts.createSourceFile(path, snippet.text, languageOptions);
    },
  };
}

function toProblem(snippet: Snippet, source: ts.SourceFile, diagnostic: ts.Diagnostic): Problem {
  const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
  return { file: snippet.document, line: snippet.firstLine + line, message: `${text} (snippets compile)` };
}
