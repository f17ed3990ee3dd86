import { LAYERS, TESTING_PACKAGE } from "../layers.js";
import { internalDependencies, type WorkspacePackage } from "../workspace/packages.js";

type Edges = ReadonlyMap<string, readonly string[]>;

/** Mermaid text of the packages by layer. Arrows that follow from other arrows are left out. */
export function renderLayerGraph(packages: readonly WorkspacePackage[]): string {
  const edges: Edges = new Map(
    packages.map(({ name, manifest }) => [name, internalDependencies(manifest).filter((to) => to !== TESTING_PACKAGE)]),
  );
  const lines = ["```mermaid", "flowchart TD"];
  for (const [layer, names] of byLayer(packages)) {
    lines.push(`  subgraph L${layer}`, ...names.map((name) => `    ${name}`), "  end");
  }
  if (edges.has(TESTING_PACKAGE)) lines.push(`  ${TESTING_PACKAGE}`);
  for (const [from, targets] of edges) {
    for (const to of targets) if (!isImplied(edges, from, to)) lines.push(`  ${from} --> ${to}`);
  }
  return [...lines, "```"].join("\n");
}

/** Names of each layer that has packages, the highest first. */
function byLayer(packages: readonly WorkspacePackage[]): [number, string[]][] {
  const layers = new Map<number, string[]>();
  for (const { name } of packages) {
    const layer = LAYERS[name]?.layer;
    if (layer !== undefined) layers.set(layer, [...(layers.get(layer) ?? []), name]);
  }
  return [...layers].toSorted(([a], [b]) => b - a);
}

/** Whether `from` reaches `to` through another of its dependencies. */
function isImplied(edges: Edges, from: string, to: string): boolean {
  return (edges.get(from) ?? []).some((other) => other !== to && reaches(edges, other, to));
}

function reaches(edges: Edges, from: string, to: string): boolean {
  return (edges.get(from) ?? []).some((next) => next === to || reaches(edges, next, to));
}
