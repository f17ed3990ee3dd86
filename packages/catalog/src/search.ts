import { CodeModeError } from "@codemode/protocol";
import type { Catalog } from "./catalog.js";
import type { CatalogEntry } from "./catalog-entry.js";

/**
 * Entries that match a guest's query, best first, at most `limit` (a whole number from 1). An exact callable or tool
 * name wins; no match, or a query that is no text, is an empty list.
 *
 * @throws {CodeModeError} `invalid_argument` for any other limit.
 */
export function searchCatalog(catalog: Catalog, query: unknown, options: { readonly limit: number }): CatalogEntry[] {
  const { limit } = options;
  if (!Number.isInteger(limit) || limit < 1) {
    const problem = "must be a whole number from 1";
    throw new CodeModeError("invalid_argument", `limit ${problem}.`, { path: "limit", problem });
  }
  return typeof query === "string" ? catalog.index.search(query, limit) : [];
}
