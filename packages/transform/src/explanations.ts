import type { AnyNode } from "acorn";
import {
  calleeOf,
  callsUnderWay,
  isFunction,
  nameStart,
  rootOf,
  shownText,
  type Call,
  type FailedPlace,
} from "./failed-place.js";
import { isPlainGlobal, missingAwait } from "./missing-await.js";
import { withoutParentheses } from "./walk-tree.js";

/** Other words for an error, or a better place for it. */
export interface Explanation {
  readonly message?: string;
  readonly offset?: number;
}

interface Rule {
  /** The engine's whole text. */
  readonly pattern: RegExp;
  explain(place: FailedPlace, match: RegExpExecArray): Explanation | undefined;
}

/**
 * The engine's own errors whose text leaves out what the source tells. Only words and place change: a cell that throws
 * the same text itself gets, at worst, a hint that does not fit.
 */
const RULES: readonly Rule[] = [
  { pattern: /^TypeError: not a (function|constructor)$/, explain: explainCall },
  { pattern: /^TypeError: value is not iterable$/, explain: explainIteration },
  { pattern: /^TypeError: cannot read property 'Symbol\.iterator' of (undefined|null)$/, explain: explainIteration },
  { pattern: /^TypeError: Cannot convert undefined or null to object$/, explain: explainPattern },
  { pattern: /^TypeError: cannot (?:read|set) property '(.*)' of (?:undefined|null)$/s, explain: explainRead },
  { pattern: /^ReferenceError: (\S+) is not defined$/, explain: explainUnknownName },
];

/** Undefined for an error that says all there is. */
export function explainError(place: FailedPlace, message: string): Explanation | undefined {
  for (const { pattern, explain } of RULES) {
    const match = pattern.exec(message);
    if (match !== null) return explain(place, match);
  }
  return explainMadeError(place);
}

/** An error is where it is made, not at the last mark in what it is made of: `throw new Error(…)`, `super(…)`. */
function explainMadeError(place: FailedPlace): Explanation | undefined {
  const thrown = place.around.find((node) => node.type === "ThrowStatement");
  const made = thrown?.type === "ThrowStatement" ? withoutParentheses(thrown.argument) : undefined;
  const call = made?.type === "NewExpression" ? made : callsUnderWay(place)[0];
  if (call === undefined) return undefined;
  const callee = calleeOf(call);
  const isMaking = callee.type === "Identifier" ? /(?:Error|Exception)$/.test(callee.name) : callee.type === "Super";
  return isMaking ? { offset: callee.start } : undefined;
}

/** The place of the tool call whose failure was not caught: its name, not its last argument. */
export function explainFailedCall(place: FailedPlace): Explanation | undefined {
  const calls = callsUnderWay(place);
  const call = calls.find((one) => isToolCall(place, one)) ?? calls[0];
  return call && { offset: nameStart(calleeOf(call)) };
}

function explainCall(place: FailedPlace, [, kind = ""]: RegExpExecArray): Explanation | undefined {
  const call = callsUnderWay(place).find((one) => !isKnownCallable(place, one));
  if (call === undefined) return undefined;
  const callee = calleeOf(call);
  if (isFunction(callee)) return undefined;
  const message = `TypeError: ${shownText(place.source, callee)} is not a ${kind}`;
  return { message: withHint(message, missingAwait(place, callee)), offset: nameStart(callee) };
}

function explainRead(place: FailedPlace, [message, property]: RegExpExecArray): Explanation | undefined {
  const chain = place.around.findLast((node) => node.type === "MemberExpression" && node.start === place.offset);
  if (chain === undefined) return firstRead(place, property);
  const hint = missingAwait(place, chain) ?? missingArgument(place, rootOf(chain));
  return hint === undefined ? undefined : { message: withHint(message, hint) };
}

/** A literal leaves no mark: its member is the first one of that name after the engine's last mark. */
function firstRead({ source, offset }: FailedPlace, property: string | undefined): Explanation | undefined {
  const members = source.nodes.filter(
    (node) =>
      node.type === "MemberExpression" &&
      node.start >= offset &&
      node.property.type === "Identifier" &&
      node.property.name === property,
  );
  const first = firstInSource(members);
  return first && { offset: first.start };
}

/** A loop or a spread names what it iterates; a pattern that takes an array apart is found as others are. */
function explainIteration(place: FailedPlace, match: RegExpExecArray): Explanation | undefined {
  const iterated = place.around.map(iteratedBy).find((node) => node !== undefined && isAt(node, place.offset));
  if (iterated === undefined) return explainPattern(place, match);
  const message = `TypeError: ${shownText(place.source, iterated)} is not iterable`;
  return { message: withHint(message, missingAwait(place, iterated)), offset: iterated.start };
}

/** A pattern leaves no mark of its own: it is the first one after the engine's last mark. */
function explainPattern({ source, ...place }: FailedPlace, [message]: RegExpExecArray): Explanation | undefined {
  const pattern = firstInSource(
    source.nodes.filter(({ type, start }) => /^(?:Object|Array)Pattern$/.test(type) && start >= place.offset),
  );
  if (pattern === undefined) return undefined;
  const declarator = source.nodes.find((node) => node.type === "VariableDeclarator" && node.id === pattern);
  const init = declarator?.type === "VariableDeclarator" ? declarator.init : undefined;
  const hint = init ? missingAwait({ source, ...place }, init) : undefined;
  return { message: withHint(message, hint), offset: pattern.start };
}

function explainUnknownName(place: FailedPlace, [message, name = ""]: RegExpExecArray): Explanation | undefined {
  const isCalled = callsUnderWay(place).some((call) => {
    const callee = calleeOf(call);
    return call.type === "CallExpression" && callee.type === "Identifier" && callee.name === name;
  });
  if (!isCalled) return undefined;
  const words = name
    .replace(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .trim()
    .toLowerCase();
  return { message: `${message}. Find a tool with await catalog.search(${JSON.stringify(words)}).` };
}

function isAt(node: AnyNode, offset: number): boolean {
  return node.start <= offset && offset < node.end;
}

function iteratedBy(node: AnyNode): AnyNode | undefined {
  if (node.type === "ForOfStatement") return withoutParentheses(node.right);
  return node.type === "SpreadElement" ? withoutParentheses(node.argument) : undefined;
}

/** A free name that can be called is a function, as are those that the source declares, and members of the language. */
function isKnownCallable(place: FailedPlace, call: Call): boolean {
  const callee = calleeOf(call);
  const root = rootOf(callee);
  if (root.type !== "Identifier") return false;
  const isFree = !place.bindings.isBound(root.name, root.start);
  if (callee.type !== "Identifier") return isFree && isPlainGlobal(root.name) && !isMissingMember(callee);
  return (
    isFree || place.source.nodes.some((node) => node.type === "FunctionDeclaration" && node.id?.name === root.name)
  );
}

/** Whether a member of a global is surely none: `Math.average`. This process has the same language. */
function isMissingMember(callee: AnyNode): boolean {
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return false;
  if (callee.object.type !== "Identifier") return false;
  const holder: unknown = Object.getOwnPropertyDescriptor(globalThis, callee.object.name)?.value;
  return holder instanceof Object && !(callee.property.name in holder);
}

function isToolCall({ bindings }: FailedPlace, call: Call): boolean {
  const root = rootOf(calleeOf(call));
  return root.type === "Identifier" && !bindings.isBound(root.name, root.start) && !isPlainGlobal(root.name);
}

/** A whole function is called without arguments, so what it expects as one is undefined. */
function missingArgument({ source }: FailedPlace, root: AnyNode): string | undefined {
  const last = source.statements.at(-1);
  const call = last?.type === "ReturnStatement" && last.argument ? withoutParentheses(last.argument) : undefined;
  if (call?.type !== "CallExpression" || call.arguments.length > 0 || root.type !== "Identifier") return undefined;
  const program = withoutParentheses(call.callee);
  if (program.type !== "ArrowFunctionExpression" && program.type !== "FunctionExpression") return undefined;
  const isParameter = program.params.some((one) => one.type === "Identifier" && one.name === root.name);
  return isParameter ? "The program is called without arguments: tools are global functions." : undefined;
}

function firstInSource(nodes: readonly AnyNode[]): AnyNode | undefined {
  return nodes.reduce<AnyNode | undefined>(
    (first, node) => (first && first.start <= node.start ? first : node),
    undefined,
  );
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}
