import type { AnyNode } from "acorn";
import { calleeOf, isFunction, rootOf, shownText, type FailedPlace } from "./failed-place.js";
import { withoutParentheses } from "./walk-tree.js";

/** Globals of the language and of the guest whose calls give no promise. */
const PLAIN_GLOBALS: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(globalThis), "text", "json"]);
const PROMISE_METHODS: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

type CallExpression = Extract<AnyNode, { type: "CallExpression" }>;

/** Whether a free name is one of the language's, or one that every cell has and that is no tool. */
export function isPlainGlobal(name: string): boolean {
  return PLAIN_GLOBALS.has(name);
}

/**
 * The sentence that says which call was not awaited, where an expression reads from its promise: directly, as in
 * `list({}).items`, or through a variable, as in `const page = list({}); page.items`.
 */
export function missingAwait(place: FailedPlace, expression: AnyNode): string | undefined {
  for (let node: AnyNode = withoutParentheses(expression); ; node = within(node)) {
    if (node.type === "CallExpression" && givesPromise(place, node)) return sentence(place, "This", node);
    if (node.type === "Identifier") return variableHint(place, node.name);
    if (within(node) === node) return undefined;
  }
}

function variableHint(place: FailedPlace, name: string): string | undefined {
  const declared = place.source.nodes.flatMap((node) =>
    node.type === "VariableDeclarator" && bindsName(node.id, name) ? [node] : [],
  );
  const init = declared.length === 1 ? declared[0]?.init : undefined;
  const call = init ? withoutParentheses(init) : undefined;
  return call?.type === "CallExpression" && givesPromise(place, call) ? sentence(place, name, call) : undefined;
}

/** `name`, or a pattern that takes it out of the value: `{ name }`, `{ name = 1 }`. */
function bindsName(pattern: AnyNode, name: string): boolean {
  if (pattern.type === "Identifier") return pattern.name === name;
  if (pattern.type !== "ObjectPattern") return false;
  return pattern.properties.some((property) => {
    if (property.type !== "Property") return false;
    const target = property.value.type === "AssignmentPattern" ? property.value.left : property.value;
    return target.type === "Identifier" && target.name === name;
  });
}

function sentence({ source }: FailedPlace, what: string, call: CallExpression): string {
  return `${what} is a promise: await ${shownText(source, calleeOf(call))}(…) first.`;
}

/** Whether a call surely gives a promise: of a tool, of `MCP`, `catalog.search` and `API`, of an async function, a `then`. */
function givesPromise(place: FailedPlace, call: CallExpression): boolean {
  const callee = withoutParentheses(call.callee);
  const property = callee.type === "MemberExpression" && !callee.computed ? callee.property : undefined;
  const method = property?.type === "Identifier" ? property.name : undefined;
  if (method !== undefined && PROMISE_METHODS.has(method)) return true;
  const root = rootOf(callee);
  if (root.type !== "Identifier") return false;
  const isFree = !place.bindings.isBound(root.name, root.start);
  if (callee.type === "Identifier") return isFree ? !isPlainGlobal(root.name) : isAsyncFunction(place, root.name);
  if (!isFree) return false;
  if (root.name === "Promise") return true;
  return root.name === "MCP" || root.name === "API" || (root.name === "catalog" && method === "search");
}

function isAsyncFunction({ source }: FailedPlace, name: string): boolean {
  return source.nodes.some((node) => {
    if (node.type === "FunctionDeclaration") return node.id?.name === name && node.async && !node.generator;
    if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || node.id.name !== name) return false;
    const value = node.init ? withoutParentheses(node.init) : undefined;
    return value !== undefined && isFunction(value) && "async" in value && value.async;
  });
}

/** What a chain reads from: the object of a member, the callee of a call; anything else is itself. */
function within(node: AnyNode): AnyNode {
  if (node.type === "MemberExpression") return withoutParentheses(node.object);
  if (node.type === "CallExpression") return withoutParentheses(node.callee);
  if (node.type === "ChainExpression") return withoutParentheses(node.expression);
  return node;
}
