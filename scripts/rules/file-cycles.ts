import type { Problem } from "../workspace/problems.js";

/** Files, each with the files it imports. */
export type FileGraph = ReadonlyMap<string, readonly string[]>;

/** One finding per group of files that reach each other, with a shortest circle of it. */
export function findFileCycles(graph: FileGraph): Problem[] {
  const reported = new Set<string>();
  return [...graph.keys()].flatMap((file) => {
    if (reported.has(file)) return [];
    const circle = shortestCircle(graph, file);
    if (circle === undefined) return [];
    for (const member of circle) reported.add(member);
    const shown = [...circle, file].map((member) => member.slice(member.lastIndexOf("/") + 1)).join(" -> ");
    return [{ file, message: `import cycle ${shown}: files of one package never import each other in a circle` }];
  });
}

/** Files of a shortest way from `start` back to itself, starting with it; undefined when there is none. */
function shortestCircle(graph: FileGraph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return wayTo(file, start, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(file: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [file];
  for (let step = file; step !== start;) {
    step = cameFrom.get(step) ?? start;
    way.unshift(step);
  }
  return way;
}
