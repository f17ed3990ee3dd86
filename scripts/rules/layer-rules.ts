import { LAYERS, layerLabel, SCOPE, TESTING_MAY_IMPORT, TESTING_PACKAGE } from "../layers.js";
import { internalDependencies, type WorkspacePackage } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";

/** Why `from` may not import `to`, both by short name; undefined when it may. */
export function layerViolation(from: string, to: string): string | undefined {
  if (from === TESTING_PACKAGE)
    return TESTING_MAY_IMPORT.includes(to) ? undefined : violation(from, to, "testing imports only protocol");
  const [fromLayer, toLayer] = [LAYERS[from]?.layer, LAYERS[to]?.layer];
  if (fromLayer === undefined) return undefined;
  if (toLayer === undefined) return `names ${SCOPE}${to}, which has no layer: add it to scripts/layers.ts`;
  if (toLayer < fromLayer) return undefined;
  const rule = toLayer > fromLayer ? "imports point down only" : "packages of one layer never import each other";
  return violation(from, to, rule);
}

/** Findings about what the manifest of one package depends on. */
export function checkManifestLayers({ name, folder, manifest }: WorkspacePackage): Problem[] {
  const file = `${folder}/package.json`;
  if (layerLabel(name) === undefined) return [{ file, message: `has no layer: add ${name} to scripts/layers.ts` }];
  const shipped = internalDependencies(manifest, ["dependencies", "peerDependencies", "optionalDependencies"]);
  const developed = internalDependencies(manifest, ["devDependencies"]).filter((to) => to !== TESTING_PACKAGE);
  const problems: Problem[] = [];
  for (const to of [...shipped, ...developed]) {
    const message =
      to === TESTING_PACKAGE
        ? `imports ${SCOPE}${to}: only tests import it, as a development dependency`
        : layerViolation(name, to);
    if (message !== undefined) problems.push({ file, message: message.replace(/^imports/, "depends on") });
  }
  return problems;
}

function violation(from: string, to: string, rule: string): string {
  return `imports ${SCOPE}${to} (${layerLabel(to) ?? "no layer"}) from ${layerLabel(from) ?? "no layer"}: ${rule}`;
}
