import type { ToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "./build-catalog.js";
import { createSearchIndex } from "./search-index.js";

function tool(name: string, description: string, more: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return { name, description, parameters: { type: "object" }, execute: () => ({ details: null }), ...more };
}

const words = ["alpha", "beta", "gamma", "delta", "omega"];
const many = Array.from({ length: 600 }, (_, number) =>
  tool(`tool_${number}`, `${words[number % 5]} ${words[number % 3]} part ${number}. `.repeat(20)),
);

describe("createSearchIndex", () => {
  test("reads in slices and leaves the thread in between; a search before the end reads the rest at once", async () => {
    const { entries } = buildCatalog(many);
    const index = createSearchIndex(entries);
    let pauses = 0;
    const prepared = index.prepare(async () => {
      pauses += 1;
    });
    expect([index.isReady(), index.prepare(async () => {})]).toEqual([false, prepared]);
    await prepared;
    expect([index.isReady(), pauses]).toEqual([true, 2]);

    const eager = createSearchIndex(entries);
    expect(eager.search("gamma part 7", 5)).toEqual(index.search("gamma part 7", 5));
    expect(eager.isReady()).toBe(true);
  });

  test("a search while it is being read finds the same, and reading ends well", async () => {
    const { entries } = buildCatalog(many);
    const index = createSearchIndex(entries);
    const found: string[][] = [];
    await index.prepare(async () => {
      found.push(index.search("delta part", 3).map(({ id }) => id));
    });
    const expected = index.search("delta part", 3).map(({ id }) => id);
    expect(found.length).toBeGreaterThan(0);
    for (const ids of found) expect(ids).toEqual(expected);
  });

  test("SURF-06: an appended tool is found as if it had been there, and known ones are not read again", async () => {
    const before = buildCatalog(many);
    before.index.search("alpha", 1);
    const added = [...many, tool("needle", "omega sewing", { source: "client" })];
    const after = buildCatalog(added, { previous: before });
    expect(after.entries.slice(0, -1).every((entry, number) => entry === before.entries[number])).toBe(true);
    let pauses = 0;
    await after.index.prepare(async () => {
      pauses += 1;
    });
    expect(pauses).toBe(0);

    const fresh = buildCatalog(added);
    for (const query of ["sewing needle", "omega part 9", "gamma"]) {
      const names = (catalog: typeof fresh): string[] => catalog.index.search(query, 20).map(({ id }) => id);
      expect(names(after)).toEqual(names(fresh));
    }
    expect(before.index.search("sewing", 3)).toEqual([]);
  });

  test("a tool that is replaced is found by its new text only", () => {
    const before = buildCatalog([tool("a", "Feeds the walrus."), tool("b", "Brushes the otter.")]);
    expect(before.index.search("walrus", 2)).toHaveLength(1);
    const after = buildCatalog([tool("a", "Feeds the penguin."), tool("b", "Brushes the otter.")], {
      previous: before,
    });
    expect([after.index.search("walrus", 2), after.index.search("penguin", 2)]).toEqual([[], [after.entries[0]]]);
  });

  test("two catalogs that share what was read stay apart, in whatever order they are searched", () => {
    const before = buildCatalog([tool("a", "Feeds the walrus."), tool("b", "Brushes the otter.")]);
    const after = buildCatalog([tool("c", "Counts heron eggs."), tool("b", "Brushes the otter.")], {
      previous: before,
    });
    const found = (query: string): (string | undefined)[] =>
      [before, after].map(({ index }) => index.search(query, 1)[0]?.toolName);
    expect(found("heron")).toEqual([undefined, "c"]);
    expect(found("walrus")).toEqual(["a", undefined]);
    expect(found("otter")).toEqual(["b", "b"]);
    const last = buildCatalog([tool("d", "Weighs the badger.")], { previous: after });
    expect([last.index.search("badger", 1)[0]?.toolName, ...found("badger weighs")]).toEqual([
      "d",
      undefined,
      undefined,
    ]);
  });

  test("the order of the tools changes nothing", () => {
    const names = (tools: readonly ToolDescriptor[]): string[] =>
      buildCatalog(tools)
        .index.search("beta gamma part 44", 30)
        .map(({ id }) => id);
    expect(names([...many].reverse())).toEqual(names(many));
  });

  test("synonyms and words spelled alike find what no word of the query names", () => {
    const { index } = buildCatalog([
      tool("create_directory", "Create a directory."),
      tool("update_configuration", "Write the configuration of a server."),
      tool("weather", "Weather for a city.", { parameters: { properties: { city: {}, date: {} } } }),
      ...Array.from({ length: 20 }, (_, number) => tool(`other_${number}`, `Does thing ${number}.`)),
    ]);
    const first = (query: string): string | undefined => index.search(query, 3)[0]?.toolName;
    expect(first("make a new folder")).toBe("create_directory");
    expect(first("server config")).toBe("update_configuration");
    expect(first("forecast for Berlin tomorrow")).toBe("weather");
  });
});
