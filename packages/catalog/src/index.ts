export { buildCatalog, type CatalogOptions } from "./build-catalog.js";
// prettier-ignore
export { RESERVED_NAMES, assignNames, isSafeIdentifier, type NameCandidate, type NameOptions } from "./callable-name.js";
export type { Catalog, OmittedTool } from "./catalog.js";
export type { CatalogEntry } from "./catalog-entry.js";
export { describeEntry, type ToolDescription } from "./describe.js";
export { quickIndex, type QuickIndexOptions } from "./quick-index.js";
export { GUEST_GLOBALS, KEYWORDS } from "./reserved-names.js";
export { searchCatalog } from "./search.js";
export { createSearchIndex, type SearchIndex } from "./search-index.js";
