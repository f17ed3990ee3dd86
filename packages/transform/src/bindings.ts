import type { AnyNode } from "acorn";
import { childrenOf } from "./walk-tree.js";

/** Answers whether a name at an offset refers to something the source itself declares. */
export interface Bindings {
  isBound(name: string, offset: number): boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A node with the innermost scopes around it: where `var` goes, and where `let`, `const`, `class` and functions go. */
interface Visit {
  readonly node: AnyNode;
  readonly functionScope: Range;
  readonly blockScope: Range;
}

const WHOLE_SOURCE: Range = { start: 0, end: Infinity };

/** Collects what a strict-mode source declares. Iterative, so any tree that could be parsed can be searched. */
export function collectBindings(roots: readonly AnyNode[]): Bindings {
  const scopes = new Map<string, Range[]>();
  const open: Visit[] = roots.map((node) => ({ node, functionScope: WHOLE_SOURCE, blockScope: WHOLE_SOURCE }));
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    for (const { pattern, scope } of declarationsOf(visit)) {
      for (const name of namesOf(pattern)) {
        const ranges = scopes.get(name);
        if (ranges === undefined) scopes.set(name, [scope]);
        else ranges.push(scope);
      }
    }
    const inner = scopesInside(visit);
    for (const { child } of childrenOf(visit.node)) open.push({ ...inner, node: child });
  }
  return {
    isBound: (name, offset) => scopes.get(name)?.some(({ start, end }) => start <= offset && offset < end) === true,
  };
}

/** What a node declares, each with the range in which the name is visible. */
function declarationsOf({ node, functionScope, blockScope }: Visit): { pattern: AnyNode; scope: Range }[] {
  switch (node.type) {
    case "VariableDeclaration": {
      const scope = node.kind === "var" ? functionScope : blockScope;
      return node.declarations.map(({ id }) => ({ pattern: id, scope }));
    }
    case "FunctionDeclaration":
      return [...named(node.id, blockScope), ...parametersOf(node)];
    case "FunctionExpression":
      return [...named(node.id, node), ...parametersOf(node)];
    case "ArrowFunctionExpression":
      return parametersOf(node);
    case "ClassDeclaration":
      return named(node.id, blockScope);
    case "ClassExpression":
      return named(node.id, node);
    case "CatchClause":
      return named(node.param, node);
    default:
      return [];
  }
}

function named(pattern: AnyNode | null | undefined, scope: Range): { pattern: AnyNode; scope: Range }[] {
  return pattern ? [{ pattern, scope }] : [];
}

function parametersOf(node: AnyNode & { params: readonly AnyNode[] }): { pattern: AnyNode; scope: Range }[] {
  return node.params.map((pattern) => ({ pattern, scope: node }));
}

function scopesInside({ node, functionScope, blockScope }: Visit): Pick<Visit, "functionScope" | "blockScope"> {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return { functionScope: node.body, blockScope: node.body };
    case "StaticBlock":
      return { functionScope: node, blockScope: node };
    case "BlockStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "SwitchStatement":
      return { functionScope, blockScope: node };
    default:
      return { functionScope, blockScope };
  }
}

/** The names a pattern binds. */
function namesOf(pattern: AnyNode): string[] {
  const names: string[] = [];
  const open: AnyNode[] = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === "Identifier") names.push(next.name);
    else open.push(...patternsIn(next));
  }
  return names;
}

/** The patterns directly inside a pattern. */
function patternsIn(pattern: AnyNode): AnyNode[] {
  switch (pattern.type) {
    case "ObjectPattern":
      return pattern.properties.map((property) => (property.type === "Property" ? property.value : property));
    case "ArrayPattern":
      return pattern.elements.filter((element) => element !== null);
    case "AssignmentPattern":
      return [pattern.left];
    case "RestElement":
      return [pattern.argument];
    default:
      return [];
  }
}
