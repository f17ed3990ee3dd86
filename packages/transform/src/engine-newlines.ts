import type { AnyNode } from "acorn";
import type { Edit } from "./edits.js";

/**
 * The engine counts a lone CR as a line end, but not inside block comments. Everywhere in a program, template literals
 * included, LF means the same.
 */
export function withoutLoneCarriageReturns(code: string): string {
  return code.replace(/\r(?!\n)/g, "\n");
}

/**
 * The engine counts U+2028 and U+2029 as line ends only between tokens. Outside literals LF means the same; inside
 * they are content, and the engine does not count them. `nodes` are those of `code`.
 */
export function separatorEdits(code: string, nodes: readonly AnyNode[]): readonly Edit[] {
  const separators = [...code.matchAll(/[\u2028\u2029]/g)].map((match) => match.index);
  if (separators.length === 0) return [];
  const literals = nodes
    .filter((node) => node.type === "Literal" || node.type === "TemplateElement")
    .sort((a, b) => a.start - b.start);
  const edits: Edit[] = [];
  let index = 0;
  for (const offset of separators) {
    while (index < literals.length && (literals[index]?.end ?? 0) <= offset) index += 1;
    const isContent = (literals[index]?.start ?? Infinity) <= offset;
    if (!isContent) edits.push({ type: "overwrite", offset, text: "\n" });
  }
  return edits;
}
