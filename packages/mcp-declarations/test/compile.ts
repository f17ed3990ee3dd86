import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  types: [],
  skipDefaultLibCheck: true,
};

const libraries = new Map<string, ts.SourceFile | undefined>();

/** Errors of `tsc --strict` with the ES2022 library alone, as `file(line): message`. */
export function compile(files: Readonly<Record<string, string>>): readonly string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const readSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, languageVersion) => {
    const content = Object.hasOwn(files, name) ? files[name] : undefined;
    if (content !== undefined) return ts.createSourceFile(name, content, languageVersion);
    if (!libraries.has(name)) libraries.set(name, readSourceFile(name, languageVersion));
    return libraries.get(name);
  };
  const program = ts.createProgram(Object.keys(files), OPTIONS, host);
  const diagnostics = [...program.getGlobalDiagnostics(), ...program.getOptionsDiagnostics()];
  for (const name of Object.keys(files)) {
    const file = program.getSourceFile(name);
    diagnostics.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
  }
  return diagnostics.map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
    if (diagnostic.file === undefined || diagnostic.start === undefined) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
    return `${diagnostic.file.fileName}(${line + 1}): ${message}`;
  });
}
