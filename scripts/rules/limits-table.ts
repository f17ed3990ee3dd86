import ts from "typescript";

/** Markdown table of the fields of an interface whose docstrings say meaning, default and range. */
export function renderLimitsTable(text: string, interfaceName: string): string {
  const source = ts.createSourceFile("limits.ts", text, ts.ScriptTarget.Latest, true);
  const declared = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === interfaceName,
  );
  if (declared === undefined || !ts.isInterfaceDeclaration(declared))
    throw new Error(`${interfaceName} is not declared`);
  const rows = declared.members.map((member) => {
    const name = member.name?.getText(source) ?? "";
    return `| \`${name}\` | ${splitBounds(docstringOf(member, name)).join(" | ")} |`;
  });
  return ["| field | what it bounds | default and range |", "| --- | --- | --- |", ...rows].join("\n");
}

/** One row of the table of limits that nobody sets: the docstring and the value of a constant at the top of a module. */
export function renderFixedLimit(text: string, constant: string): string {
  const source = ts.createSourceFile("limits.ts", text, ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const found = statement.declarationList.declarations.find(({ name }) => name.getText(source) === constant);
    const value = found?.initializer?.getText(source);
    if (value !== undefined) return `| ${docstringOf(statement, constant)} | ${value} |`;
  }
  throw new Error(`${constant} is not declared`);
}

function docstringOf(node: ts.Node, name: string): string {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  const text = doc === undefined || !ts.isJSDoc(doc) ? undefined : ts.getTextOfJSDocComment(doc.comment);
  if (text === undefined) throw new Error(`${name} has no docstring`);
  return text.replaceAll(/\s+/g, " ");
}

/** `A. Default 1, range 1 to 2. B.` to `A. B.` and `1, range 1 to 2`. */
function splitBounds(text: string): [meaning: string, bounds: string] {
  const sentences = text.split(/(?<=\.) /);
  const bounds = sentences.find((sentence) => sentence.startsWith("Default ")) ?? "";
  const meaning = sentences.filter((sentence) => sentence !== bounds).join(" ");
  return [meaning, bounds.replace(/^Default /, "").replace(/\.$/, "")];
}
