import type { GuestTool } from "@codemode/protocol";
import type { Callable, Callables } from "./callables.js";
import { createMissingNames, missingText } from "./missing-names.js";
import { ORDINARY, TypeErrorConstructor, createObject, define, freeze, stringifyJson } from "./primordials.js";
import type { RequestTable } from "./request-table.js";
import type { SurfaceReader } from "./surface-reader.js";

const MEMBERS = "It has search(query, { limit }) and all().";

/** The global `catalog`: search and list of callable handles. */
export function createCatalog(surface: SurfaceReader, callables: Callables, requests: RequestTable): object {
  const missing = createMissingNames("catalog", (name) =>
    missingText({ path: "catalog", members: ["search", "all"], otherwise: MEMBERS }, name),
  );
  const catalog = createObject(missing) as Record<string, unknown>;
  let all: readonly Callable[] | undefined;

  define(catalog, "search", (query?: unknown, options?: unknown) =>
    requests.send(
      "search",
      () => searchFields(query, options),
      (reply) => handlesOf(surface.tools((reply as { readonly bindings: readonly number[] }).bindings)),
    ),
  );
  define(catalog, "all", () => {
    all ??= handlesOf(surface.globalTools());
    return all;
  });
  return freeze(catalog);

  function handlesOf(tools: readonly GuestTool[]): readonly Callable[] {
    const handles: Callable[] = [];
    for (let index = 0; index < tools.length; index++) append(handles, callables.handleFor(tools[index] as GuestTool));
    return freeze(handles);
  }
}

/** Adds an item whatever setters the guest gave array indexes. */
function append(list: Callable[], item: Callable): void {
  define(list, list.length, item, ORDINARY);
}

function searchFields(query: unknown, options: unknown): string {
  if (typeof query !== "string") {
    throw new TypeErrorConstructor('catalog.search takes text: catalog.search("send mail").');
  }
  return `,"query":${stringifyJson(query)}${limitField(options)}`;
}

function limitField(options: unknown): string {
  if (options === undefined || options === null) return "";
  const limit: unknown = (options as { limit?: unknown }).limit;
  if (limit === undefined) return "";
  if (typeof limit !== "number" || !(limit >= 1)) {
    throw new TypeErrorConstructor("catalog.search takes a limit of 1 or more.");
  }
  return `,"limit":${limit > 1000 ? 1000 : limit - (limit % 1)}`;
}
