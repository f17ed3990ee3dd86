import { SCOPE } from "../layers.js";
import { DEPENDENCY_FIELDS, type ExportTarget, type Manifest, type WorkspacePackage } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";
import type { SourceTree } from "../workspace/source-tree.js";

const FIELD_ORDER = [
  "name",
  "version",
  "description",
  "license",
  "type",
  "sideEffects",
  "engines",
  "files",
  "exports",
  "publishConfig",
  "bin",
  "scripts",
  "dependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "optionalDependencies",
  "devDependencies",
];
const OPTIONAL_FIELDS = new Set(FIELD_ORDER.slice(FIELD_ORDER.indexOf("bin")));
OPTIONAL_FIELDS.delete("scripts");

/** Export condition under which tests and types read a package's sources. Publishing drops it. */
const SOURCE_CONDITION = "@codemode/source";
/** Packages that others always use as built: a thread's entry has to be a file of its own. */
const BUILT_ONLY = new Set(["worker"]);

/** Findings about a published package's manifest: every package has the same fields, in the same order. */
export function checkManifest(tree: SourceTree, { name, folder, manifest }: WorkspacePackage): Problem[] {
  const messages = [
    ...checkFieldOrder(manifest),
    ...checkFixedFields(name, manifest),
    ...Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
      checkEntry(tree, { folder, entry, target, isBuiltOnly: BUILT_ONLY.has(name) }),
    ),
    ...checkDependencyVersions(manifest),
  ];
  return messages.map((message) => ({ file: `${folder}/package.json`, message }));
}

/** Versions come from one place: the workspace for its own packages, its catalog for all others. */
export function checkDependencyVersions(manifest: Manifest): string[] {
  return DEPENDENCY_FIELDS.flatMap((field) =>
    Object.entries(manifest[field] ?? {}).flatMap(([name, version]) => {
      const wanted = name.startsWith(SCOPE) ? "workspace:^" : "catalog:";
      const isPeerRange = field === "peerDependencies" && wanted === "catalog:";
      return version === wanted || isPeerRange ? [] : [`${field} has ${name} at ${version}: it has to be ${wanted}`];
    }),
  );
}

/** The same manifest with its fields in the order that every package keeps. */
export function inFieldOrder(manifest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(FIELD_ORDER.flatMap((field) => (field in manifest ? [[field, manifest[field]]] : [])));
}

function checkFieldOrder(manifest: Manifest): string[] {
  const fields = Object.keys(manifest);
  const wanted = FIELD_ORDER.filter((field) => fields.includes(field) || !OPTIONAL_FIELDS.has(field));
  if (fields.join() === wanted.join()) return [];
  return [`has the fields ${fields.join(", ")}: they have to be ${wanted.join(", ")}`];
}

function checkFixedFields(name: string, manifest: Manifest): string[] {
  return Object.entries(fixedFields(name, manifest.exports ?? {})).flatMap(([field, wanted]) => {
    const actual = field in manifest ? JSON.stringify(manifest[field]) : "missing";
    const expected = JSON.stringify(wanted);
    return actual === expected ? [] : [`has ${field} ${actual}: it has to be ${expected}`];
  });
}

type Entries = Readonly<Record<string, ExportTarget>>;

/** Fields that follow from a package's name and entries. */
export function fixedFields(name: string, entries: Entries): Record<string, unknown> {
  return {
    name: SCOPE + name,
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    files: ["dist", "!dist/.tsbuildinfo"],
    publishConfig: { access: "public", provenance: true, exports: publishedEntries(entries) },
    scripts: {
      build: `tsup --config ../../tsup.config.ts --env.PACKAGE ${name}`,
      test: `vitest run --root ../.. packages/${name}`,
      lint: "eslint --config ../../eslint.config.js .",
      types: "tsc -b",
    },
  };
}

function publishedEntries(entries: Entries): Entries {
  const published: Record<string, ExportTarget> = {};
  for (const [entry, target] of Object.entries(entries)) {
    if (typeof target === "string") published[entry] = target;
    else {
      const { [SOURCE_CONDITION]: _source, ...conditions } = target;
      published[entry] = conditions;
    }
  }
  return published;
}

interface EntryOfPackage {
  readonly folder: string;
  readonly entry: string;
  readonly target: ExportTarget;
  readonly isBuiltOnly: boolean;
}

function checkEntry(tree: SourceTree, { folder, entry, target, isBuiltOnly }: EntryOfPackage): string[] {
  if (typeof target === "string") {
    return entry === "./package.json" && target === entry
      ? []
      : [`exports ${entry} as ${target}: only ./package.json is a plain file`];
  }
  const file = entry === "." ? "index" : entry.slice("./".length);
  const { [SOURCE_CONDITION]: source, ...built } = entryTarget(file);
  const wanted = JSON.stringify(isBuiltOnly ? built : { [SOURCE_CONDITION]: source, ...built });
  if (JSON.stringify(target) !== wanted)
    return [`exports ${entry} as ${JSON.stringify(target)}: it has to be ${wanted}`];
  return tree.has(`${folder}/src/${file}.ts`) ? [] : [`exports ${entry}, and src/${file}.ts does not exist`];
}

/** Where an entry leads: its source for this workspace, its types, then its code. */
export function entryTarget(file: string): Record<string, string> {
  return { [SOURCE_CONDITION]: `./src/${file}.ts`, types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` };
}
