import { builtinModules } from "node:module";
import { posix } from "node:path";
import { LAYERS, SCOPE, SOLE_IMPORTERS, TESTING_PACKAGE } from "../layers.js";
import type { DependencyField, Manifest, WorkspacePackage } from "../workspace/packages.js";
import { layerViolation } from "./layer-rules.js";

/** What an import is judged against. */
export interface ImportContext {
  readonly owner: WorkspacePackage;
  /** Path of the importing file. */
  readonly file: string;
  /** Applications (examples, benches) stand above all layers. */
  readonly isApplication: boolean;
  readonly packages: ReadonlyMap<string, WorkspacePackage>;
  /** Manifest of the workspace root: its development dependencies serve every test. */
  readonly root: Manifest;
}

/** Why the import breaks a rule; undefined when it keeps them all. */
export function importViolation(specifier: string, context: ImportContext): string | undefined {
  if (specifier.startsWith(".")) return relativeViolation(specifier, context);
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return builtinViolation(specifier, context);
  if (/^\/|^[a-z]+:/i.test(specifier)) return `imports ${specifier}: only packages and relative paths are imported`;
  if (specifier.startsWith(SCOPE)) return internalViolation(specifier, context);
  return thirdPartyViolation(specifier, context);
}

/** Whether a file is a package's own source, as opposed to its tests and build scripts. */
function isShippedSource(file: string): boolean {
  return /^packages\/[^/]+\/src\//.test(file) && !/\.test(-d)?\.ts$/.test(file);
}

function relativeViolation(specifier: string, { owner, file }: ImportContext): string | undefined {
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith(`${owner.folder}/`)) return undefined;
  return `imports ${specifier}: a relative path never leaves its package`;
}

function builtinViolation(specifier: string, { owner, file }: ImportContext): string | undefined {
  if (LAYERS[owner.name]?.isPure !== true || !isShippedSource(file)) return undefined;
  return `imports ${specifier}: ${SCOPE}${owner.name} is pure and uses no Node built-in`;
}

function internalViolation(specifier: string, context: ImportContext): string | undefined {
  const { owner, file, isApplication, packages } = context;
  const [name = "", ...rest] = specifier.slice(SCOPE.length).split("/");
  const entry = rest.length === 0 ? "." : `./${rest.join("/")}`;
  const target = packages.get(name);
  if (target === undefined) return `imports ${specifier}: there is no such package`;
  if (target.manifest.exports?.[entry] === undefined)
    return `imports ${specifier}: only published entry points may be imported`;
  const isShipped = isShippedSource(file);
  if (name === owner.name)
    return isShipped ? `imports ${specifier}: a package never imports itself by name` : undefined;
  if (!isApplication && !(name === TESTING_PACKAGE && owner.name !== TESTING_PACKAGE)) {
    const message = layerViolation(owner.name, name);
    if (message !== undefined) return message;
  }
  if (name === TESTING_PACKAGE && isShipped) return `imports ${specifier}: only tests import it`;
  const isBundled = LAYERS[owner.name]?.bundles?.includes(name) === true;
  return undeclared(SCOPE + name, context, isShipped && !isBundled);
}

function thirdPartyViolation(specifier: string, context: ImportContext): string | undefined {
  const { owner, file } = context;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const isShipped = isShippedSource(file);
  const sole = SOLE_IMPORTERS[name];
  if (sole !== undefined && sole !== owner.name && isShipped)
    return `imports ${name}: only ${SCOPE}${sole} may import it`;
  if (!isShipped && context.root.devDependencies?.[name] !== undefined) return undefined;
  return undeclared(name, context, isShipped);
}

function undeclared(name: string, { owner }: ImportContext, isShipped: boolean): string | undefined {
  const fields: DependencyField[] = ["dependencies", "peerDependencies", "optionalDependencies"];
  if (!isShipped) fields.push("devDependencies");
  if (fields.some((field) => owner.manifest[field]?.[name] !== undefined)) return undefined;
  return `imports ${name}, which ${owner.folder}/package.json does not declare: every import is a declared dependency`;
}
