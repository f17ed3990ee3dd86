import type { ToolDescriptor } from "@codemode/protocol";
import type { SearchIndex } from "./search-index.js";

/** A tool after normalisation: what guests may know of it, and the host's descriptor. */
export interface CatalogEntry {
  /** Host-only routing identity. Never for guests, prompts or messages. */
  readonly id: string;
  readonly toolName: string;
  /** Name of its guest global. */
  readonly callableName: string;
  /** The host's label, or `client`. */
  readonly source: string;
  readonly label?: string;
  /** At most 300 characters. */
  readonly description: string;
  /** Input hint; `unknown` for client tools. */
  readonly input: string;
  /** Output hint; only when complete and declared by the host. */
  readonly output?: string;
  readonly descriptor: ToolDescriptor;
}

/** Why a tool is in no catalog. */
export interface OmittedTool {
  readonly toolName: string;
  readonly reason: "shadowed" | "duplicate" | "control";
}

/** The ordered set of tools a run's cells may call. Immutable. */
export interface Catalog {
  /** In the host's order. */
  readonly entries: readonly CatalogEntry[];
  /** Tools that stay tools of the model. */
  readonly directOnly: readonly ToolDescriptor[];
  readonly omitted: readonly OmittedTool[];
  /** Hash of everything guests can see; equal catalogs have equal fingerprints. */
  readonly fingerprint: string;
  find(callableName: string): CatalogEntry | undefined;
  /** Ranked search over the entries, read at the first search; see `searchCatalog`. */
  readonly index: SearchIndex;
}
