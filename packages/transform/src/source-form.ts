import type { AnyNode, Statement, VariableDeclarator } from "acorn";
import { blank, type Edit } from "./edits.js";
import type { ParsedSource } from "./parse-source.js";
import { withoutParentheses } from "./walk-tree.js";

/** How a source becomes the body of a function that returns the source's result. */
export interface AppliedForm {
  readonly edits: readonly Edit[];
  /** The export that the form takes as the result; every other one is module access. */
  readonly accepted?: AnyNode;
}

/** One way in which models send programs. */
export interface SourceForm {
  readonly name:
    | "nameless function"
    | "export default"
    | "whole function"
    | "function that nobody calls"
    | "trailing expression"
    | "trailing object";
  /** Undefined when the source does not have this form. */
  apply(source: ParsedSource): AppliedForm | undefined;
}

/** Tried in order. A source with none of them is a body with `return`. A Markdown fence was blanked before. */
const SOURCE_FORMS: readonly SourceForm[] = [
  {
    // async function () { … }
    name: "nameless function",
    apply: ({ wholeFunction: whole }) => whole && { edits: called(whole.start, whole.end, whole) },
  },
  {
    // export default async () => { … }     export default 42
    name: "export default",
    apply: (source) => {
      const last = lastStatement(source.statements) as AnyNode | undefined;
      if (last?.type !== "ExportDefaultDeclaration" || last.declaration.type === "ClassDeclaration") return undefined;
      const start = afterKeywords(source.code, last.start);
      const end = endOf(source.code, last);
      const program = exportedFunction(last.declaration, source.statements);
      const result = program === undefined ? returned(start, end) : called(start, end, program);
      return { edits: [blank(source.code, last.start, start), ...result], accepted: last };
    },
  },
  {
    // async () => { … }     async function main() { … }
    name: "whole function",
    apply: ({ code, statements }) => {
      const [only, ...others] = statements.filter((statement) => !isPreamble(statement));
      if (only === undefined || others.length > 0) return undefined;
      const value = only.type === "ExpressionStatement" ? withoutParentheses(only.expression) : only;
      return isFunction(value) ? { edits: called(only.start, endOf(code, only), value) } : undefined;
    },
  },
  {
    // const limit = 5;  async function main() { … }     const run = async () => { … }
    name: "function that nobody calls",
    apply: ({ code, statements, nodes }) => {
      if (!statements.every(isDeclaration)) return undefined;
      const declared = statements.flatMap(declaredFunctions);
      const isAlone = statements.filter((statement) => !isPreamble(statement)).length === 1;
      const program = isAlone ? declared[0] : declared.find(({ name }) => name === "main");
      if (program === undefined || isMentioned(nodes, program.name)) return undefined;
      const call = `\nreturn ${program.name}(${inputOf(program.value)});`;
      return { edits: [{ type: "insert", offset: code.length, text: call }] };
    },
  },
  {
    // const user = await get_user({ id: 7 });  user.name
    name: "trailing expression",
    apply: ({ statements }) => {
      const last = lastStatement(statements);
      if (last?.type !== "ExpressionStatement") return undefined;
      return { edits: [{ type: "insert", offset: last.start, text: "return " }] };
    },
  },
  {
    // const sum = 1 + 2;  { sum }     { total: sum }
    name: "trailing object",
    apply: ({ code, statements }) => {
      const last = lastStatement(statements);
      if (last?.type !== "BlockStatement" || !readsAsObject(last.body)) return undefined;
      const end = last.body.at(-1)?.end ?? last.end;
      const semicolon = code[end - 1] === ";" ? [blank(code, end - 1, end)] : [];
      return { edits: [...returned(last.start, last.end), ...semicolon] };
    },
  },
];

/** Applies the first form that the source has. */
export function applyForm(source: ParsedSource): AppliedForm {
  for (const form of SOURCE_FORMS) {
    const applied = form.apply(source);
    if (applied !== undefined) return applied;
  }
  return BODY;
}

/** A body that returns its result itself. */
const BODY: AppliedForm = { edits: [] };

/** The statement that runs last: empty ones do nothing, and function declarations are hoisted. */
function lastStatement(statements: readonly Statement[]): Statement | undefined {
  return statements.findLast(({ type }) => type !== "EmptyStatement" && type !== "FunctionDeclaration");
}

/** What may stand around a whole function: nothing, `"use strict"`, and helpers that the TypeScript compiler put there. */
function isPreamble(statement: Statement): boolean {
  if (statement.type === "EmptyStatement") return true;
  if (statement.type === "ExpressionStatement") return "directive" in statement;
  return statement.type === "VariableDeclaration" && statement.declarations.every(isCompilerHelper);
}

/** `__name = (this && this.__name) || …` */
function isCompilerHelper({ id, init }: VariableDeclarator): boolean {
  if (id.type !== "Identifier" || !id.name.startsWith("__") || init?.type !== "LogicalExpression") return false;
  const reuse = withoutParentheses(init.left);
  return reuse.type === "LogicalExpression" && reuse.left.type === "ThisExpression";
}

function called(start: number, end: number, program: AnyNode): Edit[] {
  return [
    { type: "insert", offset: start, text: "return (" },
    { type: "insert", offset: end, text: `)(${inputOf(program)})` },
  ];
}

/** A program that takes its input apart finds the globals there: `async ({ echo }) => …` means the tool. */
function inputOf(program: AnyNode): string {
  return "params" in program && program.params[0]?.type === "ObjectPattern" ? "globalThis" : "";
}

function returned(start: number, end: number): Edit[] {
  return [
    { type: "insert", offset: start, text: "return (" },
    { type: "insert", offset: end, text: ")" },
  ];
}

/** End of a statement without its semicolon. */
function endOf(code: string, statement: AnyNode): number {
  return code[statement.end - 1] === ";" ? statement.end - 1 : statement.end;
}

/** Offset behind `export default` at `start`, with comments between the two words. */
function afterKeywords(code: string, start: number): number {
  const keywords = /export(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*default/y;
  keywords.lastIndex = start;
  keywords.test(code);
  return keywords.lastIndex;
}

/** The function that is exported: written there, or declared above under the name it gives. */
function exportedFunction(exported: AnyNode, statements: readonly Statement[]): AnyNode | undefined {
  const value = withoutParentheses(exported);
  if (value.type !== "Identifier") return isFunction(value) ? value : undefined;
  return statements.flatMap(declaredFunctions).find(({ name }) => name === value.name)?.value;
}

interface DeclaredFunction {
  readonly name: string;
  readonly value: AnyNode;
}

function declaredFunctions(statement: Statement): DeclaredFunction[] {
  if (statement.type === "FunctionDeclaration") {
    return isFunction(statement) ? [{ name: statement.id.name, value: statement }] : [];
  }
  if (statement.type !== "VariableDeclaration") return [];
  return statement.declarations.flatMap(({ id, init }) => {
    const value = init ? withoutParentheses(init) : undefined;
    return id.type === "Identifier" && value && isFunction(value) ? [{ name: id.name, value }] : [];
  });
}

function isDeclaration(statement: Statement): boolean {
  return (
    isPreamble(statement) ||
    statement.type === "FunctionDeclaration" ||
    statement.type === "VariableDeclaration" ||
    statement.type === "ClassDeclaration"
  );
}

/** Whether a name stands anywhere but where it is declared. */
function isMentioned(nodes: readonly AnyNode[], name: string): boolean {
  return nodes.filter((node) => node.type === "Identifier" && node.name === name).length > 1;
}

/** A block that does nothing as one: `{ a, b }` and `{ key: value }` are meant as objects. */
function readsAsObject(body: readonly Statement[]): boolean {
  const [only, ...others] = body;
  if (only === undefined || others.length > 0) return false;
  if (only.type === "LabeledStatement") {
    if (only.body.type !== "ExpressionStatement") return false;
    const { expression } = only.body;
    return expression.type !== "SequenceExpression" || areNames(expression.expressions.slice(1));
  }
  if (only.type !== "ExpressionStatement") return false;
  const { expression } = only;
  return areNames(expression.type === "SequenceExpression" ? expression.expressions : [expression]);
}

function areNames(expressions: readonly AnyNode[]): boolean {
  return expressions.every(({ type }) => type === "Identifier");
}

function isFunction(node: AnyNode): boolean {
  if (node.type === "ArrowFunctionExpression") return true;
  return (node.type === "FunctionExpression" || node.type === "FunctionDeclaration") && !node.generator;
}
