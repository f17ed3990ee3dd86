import type { ToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "./build-catalog.js";
import { searchCatalog } from "./search.js";

function tool(name: string, description: string, more: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return { name, description, parameters: { type: "object" }, execute: () => ({ details: null }), ...more };
}

const catalog = buildCatalog([
  tool("shipping_list", "List shipments."),
  tool("shipping_cancel", "Cancel one shipment by its id."),
  tool("send-mail", "Send an e-mail message to a person."),
  tool("web_search", "Search the web and return results."),
  tool("add", "Add two numbers."),
  tool("createIssue", "Open a ticket in the tracker.", {
    parameters: { properties: { severity: { enum: ["blocker"] } } },
  }),
  tool("weather", "Forecast for a city.", { source: "client" }),
]);

function search(query: unknown, limit = 8): readonly string[] {
  return searchCatalog(catalog, query, { limit }).map((entry) => entry.toolName);
}

describe("searchCatalog", () => {
  test.each([
    ["list shipments", "shipping_list"],
    ["cancelling a shipment", "shipping_cancel"],
    ["search the web", "web_search"],
    ["add numbers", "add"],
    ["please e-mail someone a message", "send-mail"],
    ["create issue", "createIssue"],
    ["blocker severity", "createIssue"],
    ["What will the weather in Paris be tomorrow?", "weather"],
  ])("CAT-01: %s finds %s first", (query, expected) => {
    expect(search(query)[0]).toBe(expected);
  });

  test.each(["send_mail", "send-mail", "SEND_MAIL", " createissue "])("CAT-01: the exact name %s wins", (query) => {
    expect(search(query)[0]).toBe(query.trim().toLowerCase() === "createissue" ? "createIssue" : "send-mail");
  });

  test.each<[unknown]>([
    ["quantum teleportation"],
    ["create a spaceship"],
    ["return two spaceships"],
    ["the a of"],
    [""],
    ["  "],
    ["::"],
    [null],
    [undefined],
    [{ q: 1 }],
    [7],
  ])("CAT-01: %j matches nothing", (query) => {
    expect(search(query)).toEqual([]);
  });

  test("CAT-01: at most the limit; ties by id", () => {
    const twins = buildCatalog([
      tool("b", "Rare word gizmo."),
      tool("a", "Rare word gizmo."),
      tool("c", "Rare word gizmo."),
    ]);
    const found = (limit: number): readonly string[] =>
      searchCatalog(twins, "gizmo", { limit }).map((entry) => entry.toolName);
    expect(found(8)).toEqual(["a", "b", "c"]);
    expect(found(2)).toEqual(["a", "b"]);
  });

  test("names in other scripts are found", () => {
    const other = buildCatalog([
      tool("検索する", "文書を検索する"),
      tool("создать", "Создать задачу"),
      tool("x", "nothing"),
    ]);
    const found = (query: string): readonly string[] =>
      searchCatalog(other, query, { limit: 3 }).map((entry) => entry.toolName);
    expect(found("検索")).toEqual(["検索する"]);
    expect(found("задачу создать")).toEqual(["создать"]);
  });

  test("a query of a million characters, and hostile metadata, are only words", () => {
    expect(search("penguin ".repeat(125_000))).toEqual([]);
    const hostile = buildCatalog([tool("constructor", "__proto__ toString"), tool("__proto__", "x".repeat(1_000_000))]);
    expect(searchCatalog(hostile, "constructor", { limit: 2 }).map((entry) => entry.toolName)).toEqual(["constructor"]);
  });

  test("CAT-01: names, and the names of parameters, are found however long all texts are", { timeout: 60_000 }, () => {
    const text = Array.from({ length: 700 }, (_, number) => `word${number}`).join(" ");
    const expanding = "\uFDFA".repeat(4_000);
    const properties = (number: number): Record<string, unknown> => {
      const names = [`gizmo${number}`, ...Array.from({ length: 39 }, (_, other) => `parameter${other}`)];
      return Object.fromEntries(names.map((name) => [name, { description: text, enum: [text, expanding] }]));
    };
    const started = performance.now();
    const large = buildCatalog(
      Array.from({ length: 1_000 }, (_, number) =>
        tool(`tool_of_${number}`, text, { source: "client", parameters: { properties: properties(number) } }),
      ),
    );
    const found = (query: string): readonly string[] =>
      searchCatalog(large, query, { limit: 2 }).map((entry) => entry.toolName);
    expect(found("gizmo934")).toEqual(["tool_of_934"]);
    expect(found("use tool of 77 please")[0]).toBe("tool_of_77");
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test.each([0, -1, 1.5, NaN])("a limit of %d is the caller's mistake", (limit) => {
    expect(() => search("add", limit)).toThrow("limit must be a whole number from 1.");
  });
});
