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
  readonly name: "nameless function" | "export default" | "whole function" | "trailing expression";
  /** Undefined when the source does not have this form. */
  apply(source: ParsedSource): AppliedForm | undefined;
}

/** Tried in order. A source with none of them is a body with `return`. A Markdown fence was blanked before. */
const SOURCE_FORMS: readonly SourceForm[] = [
  {
    // async function () { … }
    name: "nameless function",
    apply: ({ wholeFunction }) => wholeFunction && { edits: called(wholeFunction.start, wholeFunction.end) },
  },
  {
    // export default async () => { … }     export default 42
    name: "export default",
    apply: (source) => {
      const last = lastStatement(source.statements) as AnyNode | undefined;
      if (last?.type !== "ExportDefaultDeclaration" || last.declaration.type === "ClassDeclaration") return undefined;
      const start = afterKeywords(source.code, last.start);
      const end = endOf(source.code, last);
      const result = isCallable(last.declaration, source.statements) ? called(start, end) : returned(start, end);
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
      return isFunction(value) ? { edits: called(only.start, endOf(code, only)) } : undefined;
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

function called(start: number, end: number): Edit[] {
  return [
    { type: "insert", offset: start, text: "return (" },
    { type: "insert", offset: end, text: ")()" },
  ];
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

/** Whether a default export is a function, written there or declared above under the name it gives. */
function isCallable(exported: AnyNode, statements: readonly Statement[]): boolean {
  const value = withoutParentheses(exported);
  if (value.type !== "Identifier") return isFunction(value);
  return statements.some((statement) => {
    if (statement.type === "FunctionDeclaration") return statement.id.name === value.name && isFunction(statement);
    if (statement.type !== "VariableDeclaration") return false;
    return statement.declarations.some(
      ({ id, init }) =>
        id.type === "Identifier" && id.name === value.name && init && isFunction(withoutParentheses(init)),
    );
  });
}

function isFunction(node: AnyNode): boolean {
  if (node.type === "ArrowFunctionExpression") return true;
  return (node.type === "FunctionExpression" || node.type === "FunctionDeclaration") && !node.generator;
}
