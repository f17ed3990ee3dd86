import type { AnyNode } from "acorn";
import { collectBindings } from "./bindings.js";
import type { ParsedSource } from "./parse-source.js";
import type { SourceProblem } from "./source-error.js";

/** A place that asks for a module. */
export interface ModuleAccess {
  readonly what: "import" | "import()" | "import.meta" | "export" | "require()";
  readonly offset: number;
}

/**
 * The first place of a JavaScript tree that asks for a module: import and export declarations, `import()`,
 * `import.meta`, and a call, `new` or template tag that resolves to a `require` which the source does not declare.
 * `accepted` is the export that the source's form takes as its result.
 */
export function findModuleAccess(source: ParsedSource, accepted?: AnyNode): ModuleAccess | undefined {
  const requires: AnyNode[] = [];
  let first: ModuleAccess | undefined;
  const note = (what: ModuleAccess["what"], offset: number) => {
    if (first === undefined || offset < first.offset) first = { what, offset };
  };
  for (const node of source.nodes) {
    const what = node === accepted ? undefined : moduleSyntax(node);
    if (what !== undefined) note(what, node.start);
    requires.push(...calledNames(node).filter((name) => name.name === "require"));
  }
  if (requires.length === 0) return first;
  const { isBound } = collectBindings(source.wholeFunction ? [source.wholeFunction] : source.statements);
  for (const { start } of requires) if (!isBound("require", start)) note("require()", start);
  return first;
}

export function moduleAccessProblem(access: ModuleAccess): SourceProblem {
  return {
    message: `code mode module access is disabled. Found ${access.what}`,
    offset: access.offset,
    hint: "A cell loads no modules: call the tool globals or MCP.<server>.<tool>(input), or find a tool with await catalog.search(query), a server with await API.list().",
  };
}

function moduleSyntax(node: AnyNode): ModuleAccess["what"] | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return "import";
    case "ImportExpression":
      return "import()";
    case "MetaProperty":
      return node.meta.name === "import" ? "import.meta" : undefined;
    case "ExportAllDeclaration":
    case "ExportDefaultDeclaration":
    case "ExportNamedDeclaration":
      return "export";
    default:
      return undefined;
  }
}

type Identifier = Extract<AnyNode, { type: "Identifier" }>;

/** The identifiers a call may resolve to, through parentheses, commas, optional chains, choices and assignments. */
function calledNames(node: AnyNode): Identifier[] {
  const open: AnyNode[] = [];
  if (node.type === "CallExpression" || node.type === "NewExpression") open.push(node.callee);
  if (node.type === "TaggedTemplateExpression") open.push(node.tag);
  const names: Identifier[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === "Identifier") names.push(next);
    else open.push(...resultsOf(next));
  }
  return names;
}

/** The operands one of which is the value of an expression. */
function resultsOf(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case "ParenthesizedExpression":
    case "ChainExpression":
      return [node.expression];
    case "SequenceExpression":
      return node.expressions.slice(-1);
    case "ConditionalExpression":
      return [node.consequent, node.alternate];
    case "LogicalExpression":
      return [node.left, node.right];
    case "AssignmentExpression":
      return [node.right];
    default:
      return [];
  }
}
