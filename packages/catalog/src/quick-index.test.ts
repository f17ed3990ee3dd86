import type { ToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "./build-catalog.js";
import { quickIndex } from "./quick-index.js";

function tool(name: string, more: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return {
    name,
    description: "SECRET PROSE",
    parameters: { type: "object" },
    execute: () => ({ details: null }),
    ...more,
  };
}

const HEADING = [
  "Global async functions; each takes one object. A line is: name, input -> what it resolves to.",
  "`-> ?` is an unknown output: return that value unchanged first, use its fields in a later exec.",
];

describe("quickIndex", () => {
  test("HINT-03: declared outputs first, then by name; no descriptions", () => {
    const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
    const catalog = buildCatalog([
      tool("b", { parameters }),
      tool("Z", { source: "client" }),
      tool("y", { outputSchema: { type: "string" } }),
      tool("a-1"),
      tool("x", { outputSchema: { type: "array", items: { type: "number" } } }),
    ]);
    expect(quickIndex(catalog).split("\n")).toEqual([
      ...HEADING,
      "- x { [key: string]: unknown } -> Array<number>",
      "- y { [key: string]: unknown } -> string",
      "- Z unknown -> ?",
      "- a_1 { [key: string]: unknown } -> ?",
      "- b { q: string } -> ?",
    ]);
  });

  test("HINT-03: packs greedily, skips a line that is too long, and counts what is left out", () => {
    const long = { type: "object", properties: { ["k".repeat(200)]: { type: "string" } } };
    const catalog = buildCatalog([tool("a"), tool("b", { parameters: long }), tool("c"), tool("d"), tool("e")]);
    const room = [...HEADING, "- a { [key: string]: unknown } -> ?", "- c { [key: string]: unknown } -> ?"];
    const footer = "(3 more tools: find them with catalog.search.)";
    expect(quickIndex(catalog, { maxChars: [...room, footer].join("\n").length }).split("\n")).toEqual([
      ...room,
      footer,
    ]);
  });

  test("HINT-03: stays within 8,000 characters and is stable under reordering", () => {
    const tools = Array.from({ length: 2_000 }, (_, number) => tool(`tool_${number}`));
    const index = quickIndex(buildCatalog(tools));
    expect(index.length).toBeLessThanOrEqual(8_000);
    expect(index.split("\n").at(-1)).toBe("(1823 more tools: find them with catalog.search.)");
    expect(quickIndex(buildCatalog([...tools].reverse()))).toBe(index);
  });

  test("HINT-03: never longer than asked for: without room for heading and footer there is no index", () => {
    const catalog = buildCatalog([tool("a"), tool("b")]);
    const footer = "(2 more tools: find them with catalog.search.)";
    const least = [...HEADING, footer].join("\n");
    expect(quickIndex(catalog, { maxChars: least.length })).toBe(least);
    for (const maxChars of [least.length - 1, 100, 0]) expect(quickIndex(catalog, { maxChars })).toBe("");
  });

  test("an empty catalog has no index", () => {
    expect(quickIndex(buildCatalog([]))).toBe("");
  });
});
