import type { ToolDescriptor } from "@codemode/protocol";
import type { CatalogEntry } from "./catalog-entry.js";
import type { SearchIndex } from "./search-index.js";

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
