/** Packages of one job each, by layer. Imports point down only. */
export interface PackageLayer {
  readonly layer: number;
  /** Pure packages use no Node built-in, so that they run in a browser or an edge runtime too. */
  readonly isPure?: true;
  /** Packages whose code is bundled into this one at build time, so that a development dependency is enough. */
  readonly bundles?: readonly string[];
}

/** The one table of layers. A package that is not in it does not pass the checks. */
export const LAYERS: Readonly<Record<string, PackageLayer>> = {
  protocol: { layer: 0, isPure: true },
  "json-schema": { layer: 1, isPure: true },
  bridge: { layer: 1, isPure: true },
  config: { layer: 2, isPure: true },
  catalog: { layer: 2, isPure: true },
  transform: { layer: 2, isPure: true },
  "snapshot-store": { layer: 2, isPure: true },
  telemetry: { layer: 2, isPure: true },
  guest: { layer: 2, isPure: true, bundles: ["bridge"] },
  quickjs: { layer: 3 },
  supervisor: { layer: 3 },
  "mcp-declarations": { layer: 3, isPure: true },
  worker: { layer: 4 },
  core: { layer: 5 },
  mcp: { layer: 6 },
  swarm: { layer: 6 },
  nodes: { layer: 6 },
  skills: { layer: 6 },
  "ai-sdk": { layer: 6 },
  openai: { layer: 6 },
  anthropic: { layer: 6 },
  langchain: { layer: 6 },
  cli: { layer: 7 },
};

/** Stands beside the layers: it imports only `protocol`, and any test may import it. */
export const TESTING_PACKAGE = "testing";
export const TESTING_MAY_IMPORT: readonly string[] = ["protocol"];

/** Third-party packages with one owner: nobody else's sources may import them. */
export const SOLE_IMPORTERS: Readonly<Record<string, string>> = {
  "quickjs-wasi": "quickjs",
};

/** npm scope of every package, with the slash. */
export const SCOPE = "@codemode/";

/** `L3` for a package of the table, `testing` for the testing package, undefined for an unknown one. */
export function layerLabel(name: string): string | undefined {
  if (name === TESTING_PACKAGE) return TESTING_PACKAGE;
  const entry = LAYERS[name];
  return entry === undefined ? undefined : `L${entry.layer}`;
}
