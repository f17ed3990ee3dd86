import { layerLabel, SCOPE, TESTING_PACKAGE, LAYERS } from "../layers.js";
import type { WorkspacePackage } from "../workspace/packages.js";

/** Markdown table of the packages, the highest layer first, with what each one does. */
export function renderPackageTable(packages: readonly WorkspacePackage[]): string {
  const height = ({ name }: WorkspacePackage): number => LAYERS[name]?.layer ?? -1;
  const rows = packages
    .toSorted((a, b) => height(b) - height(a))
    .map(
      (each) =>
        `| ${labelOf(each)} | [\`${SCOPE}${each.name}\`](${each.folder}) | ${String(each.manifest["description"])} |`,
    );
  return ["| layer | package | what it does |", "| --- | --- | --- |", ...rows].join("\n");
}

function labelOf({ name }: WorkspacePackage): string {
  return name === TESTING_PACKAGE ? "tests" : (layerLabel(name) ?? "");
}
