import { SCOPE } from "../layers.js";
import type { SourceTree } from "./source-tree.js";

export type DependencyField = "dependencies" | "devDependencies" | "peerDependencies" | "optionalDependencies";
export const DEPENDENCY_FIELDS: readonly DependencyField[] = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
];

/** Targets of one entry by condition, or the file itself. */
export type ExportTarget = string | Readonly<Record<string, string>>;

export interface Manifest extends Readonly<Partial<Record<DependencyField, Readonly<Record<string, string>>>>> {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, ExportTarget>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** One folder of the workspace with a manifest. */
export interface WorkspacePackage {
  /** Name of the folder, which is the package name without the scope. */
  readonly name: string;
  /** Such as `packages/bridge`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Packages below `packages`, or below another folder of the workspace, in the order of their names. */
export function listPackages(
  tree: SourceTree,
  parent: "packages" | "examples" | "scripts" = "packages",
): WorkspacePackage[] {
  const pattern = new RegExp(`^${parent}/([^/]+)/package\\.json$`);
  return [...tree].flatMap(([path, text]) => {
    const name = pattern.exec(path)?.[1];
    return name === undefined ? [] : [{ name, folder: `${parent}/${name}`, manifest: JSON.parse(text) as Manifest }];
  });
}

/** Short names of the workspace packages a manifest names in the given fields. */
export function internalDependencies(
  manifest: Manifest,
  fields: readonly DependencyField[] = DEPENDENCY_FIELDS,
): string[] {
  const names = fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
  return [
    ...new Set(names.filter((name) => name.startsWith(SCOPE)).map((name) => name.slice(SCOPE.length))),
  ].toSorted();
}

/** Text of a file that has to exist. */
export function fileText(tree: SourceTree, path: string): string {
  const text = tree.get(path);
  if (text === undefined) throw new Error(`${path} does not exist`);
  return text;
}
