import type { GuestTool } from "@codemode/protocol";
import type { Callable, Callables } from "./callables.js";
import { TypeErrorConstructor, createObject, define, freeze, stringifyJson } from "./primordials.js";
import type { RequestTable } from "./request-table.js";

/** The global `catalog`: search and list of callable handles. */
export function createCatalog(tools: readonly GuestTool[], callables: Callables, requests: RequestTable): object {
  const catalog = createObject(null) as Record<string, unknown>;
  let all: readonly Callable[] | undefined;

  define(catalog, "search", async (query?: unknown, options?: unknown) => {
    if (typeof query !== "string")
      throw new TypeErrorConstructor('catalog.search takes text: catalog.search("send mail").');
    const found = (await requests.send("search", () => `,"query":${stringifyJson(query)}${limitField(options)}`)) as {
      bindings: readonly number[];
    };
    return handlesOf(found.bindings);
  });
  define(catalog, "all", () => {
    if (all === undefined) {
      const bindings: number[] = [];
      for (let index = 0; index < tools.length; index++) {
        const tool = tools[index] as GuestTool;
        if (tool.isGlobal) define(bindings, bindings.length, tool.binding, { enumerable: true, writable: true });
      }
      all = handlesOf(bindings);
    }
    return all;
  });
  return freeze(catalog);

  function handlesOf(bindings: readonly number[]): readonly Callable[] {
    const handles: Callable[] = [];
    for (let index = 0; index < bindings.length; index++) {
      const tool = tools[bindings[index] as number] as GuestTool;
      define(handles, index, callables.handleFor(tool), { enumerable: true, writable: true });
    }
    return freeze(handles);
  }
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
