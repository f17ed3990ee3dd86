import type { AnyNode } from "acorn";
import { collectBindings, type Bindings } from "./bindings.js";
import type { ParsedSource } from "./parse-source.js";
import { withoutParentheses } from "./walk-tree.js";

/** Where the engine was last known to be when an error was thrown. It marks operators and names, not every operation. */
export interface FailedPlace {
  readonly source: ParsedSource;
  readonly bindings: Bindings;
  readonly offset: number;
  /** The nodes around the offset within the innermost function, innermost first. */
  readonly around: readonly AnyNode[];
}

export type Call = Extract<AnyNode, { type: "CallExpression" | "NewExpression" | "TaggedTemplateExpression" }>;

export function findPlace(source: ParsedSource, offset: number): FailedPlace {
  const containing = source.nodes
    .filter((node) => node.start <= offset && offset < node.end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
  const outermost = containing.findIndex((node) => isFunction(node) && node.start < offset);
  const around = outermost < 0 ? containing : containing.slice(0, outermost);
  const roots = source.wholeFunction ? [source.wholeFunction] : source.statements;
  return { source, bindings: collectBindings(roots), offset, around };
}

/**
 * The calls that may have been under way, innermost first: the engine's last mark is their callee's name, or lies in
 * their arguments.
 */
export function callsUnderWay({ around, offset }: FailedPlace): Call[] {
  return around.filter((node): node is Call => {
    if (!isCall(node)) return false;
    const callee = calleeOf(node);
    if (offset >= callee.end || offset === nameStart(callee)) return true;
    return offset === callee.start && (node.type === "NewExpression" || isComputed(callee));
  });
}

export function calleeOf(call: Call): AnyNode {
  return withoutParentheses(call.type === "TaggedTemplateExpression" ? call.tag : call.callee);
}

/** Start of the name by which something is called: the property of a member, else the whole. */
export function nameStart(callee: AnyNode): number {
  return callee.type === "MemberExpression" && !callee.computed ? callee.property.start : callee.start;
}

/** The leftmost expression of a chain of members and calls. */
export function rootOf(expression: AnyNode): AnyNode {
  let node = withoutParentheses(expression);
  for (;;) {
    if (node.type === "MemberExpression") node = withoutParentheses(node.object);
    else if (node.type === "CallExpression") node = withoutParentheses(node.callee);
    else if (node.type === "ChainExpression") node = withoutParentheses(node.expression);
    else return node;
  }
}

export function isFunction(node: AnyNode): boolean {
  return (
    node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression" || node.type === "FunctionDeclaration"
  );
}

const MAX_SHOWN = 60;

/** Source text of an expression on one line, as short as an error message needs it. */
export function shownText({ code }: ParsedSource, { start, end }: AnyNode): string {
  const text = code.slice(start, end).replace(/\s+/g, " ");
  return text.length <= MAX_SHOWN ? text : `…${text.slice(text.length - MAX_SHOWN + 1)}`;
}

function isCall(node: AnyNode): node is Call {
  return node.type === "CallExpression" || node.type === "NewExpression" || node.type === "TaggedTemplateExpression";
}

function isComputed(node: AnyNode): boolean {
  return node.type === "MemberExpression" && node.computed;
}
