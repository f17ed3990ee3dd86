import type { AnyNode } from "acorn";

/**
 * Most levels a source may be nested. The engine's parser needs about 4 KiB of native stack per level, and a host that
 * runs it with Node's default stack overflows beyond about 220; programs people write stay below 60.
 */
export const MAX_NESTING = 200;

/** A chain such as `a + b + c` or `a.b().c()` is flat to a reader and to the engine, although its tree is deep. */
const CHAIN_KEYS: ReadonlySet<string> = new Set(["left", "object", "callee", "tag"]);

export interface WalkedTree {
  /** The nodes below the roots, roots included. */
  readonly nodes: readonly AnyNode[];
  /** The first node met below `MAX_NESTING` levels; the walk does not go on below it. */
  readonly tooDeep?: AnyNode;
}

/** Collects the nodes of trees, moving their offsets by `-shift`. Iterative, so any tree can be walked. */
export function walkTree(roots: readonly AnyNode[], shift: number): WalkedTree {
  const nodes: AnyNode[] = [];
  const open: { node: AnyNode; depth: number }[] = roots.map((node) => ({ node, depth: 1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    node.start -= shift;
    node.end -= shift;
    nodes.push(node);
    if (depth > MAX_NESTING) return { nodes, tooDeep: node };
    for (const { key, child } of childrenOf(node)) {
      open.push({ node: child, depth: CHAIN_KEYS.has(key) ? depth : depth + 1 });
    }
  }
  return { nodes };
}

/** Direct children of a node with the key they are found under. */
export function childrenOf(node: AnyNode): { key: string; child: AnyNode }[] {
  const children: { key: string; child: AnyNode }[] = [];
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) children.push({ key, child });
    }
  }
  return children;
}

/** The expression inside any number of parentheses. */
export function withoutParentheses(node: AnyNode): AnyNode {
  let inner = node;
  while (inner.type === "ParenthesizedExpression") inner = inner.expression;
  return inner;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}
