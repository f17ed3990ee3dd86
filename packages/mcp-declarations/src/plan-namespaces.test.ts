import type { McpServerDescriptor, McpToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { planNamespaces } from "./plan-namespaces.js";

function server(name: string, ...tools: string[]): McpServerDescriptor {
  return {
    name,
    tools: tools.map((tool) => ({ name: tool, inputSchema: { type: "object" } })),
    callTool: () => Promise.reject(new Error("not callable")),
  };
}

function functionsOf(...tools: string[]): Record<string, readonly string[]> {
  const [plan] = planNamespaces([server("s", ...tools)], []).namespaces;
  return Object.fromEntries(plan?.functions.map(({ name, aliases, tool }) => [tool.name, [name, ...aliases]]) ?? []);
}

function namespacesOf(...servers: string[]): Record<string, readonly string[]> {
  const { namespaces } = planNamespaces(
    servers.map((name) => server(name)),
    [],
  );
  return Object.fromEntries(namespaces.map((plan) => [plan.server, [plan.name, ...plan.aliases]]));
}

describe("planNamespaces", () => {
  test("MCP-12: functions have a name, and the tool's own where it is free", () => {
    expect(functionsOf("create_issue", "echo", "get-env", "9patch", "検索", "поиск")).toEqual({
      create_issue: ["createIssue", "create_issue"],
      echo: ["echo"],
      "get-env": ["getEnv", "get-env"],
      "9patch": ["tool_9patch", "9patch"],
      検索: ["__", "検索"],
      поиск: ["_____", "поиск"],
    });
  });

  test("MCP-12: a tool's own name of up to 512 characters reaches it", () => {
    const [longest, longer] = [`a-${"b".repeat(510)}`, `a-${"b".repeat(511)}`];
    expect(functionsOf(longest)[longest]?.slice(1)).toEqual([longest]);
    expect(functionsOf(longer)[longer]?.slice(1)).toEqual([]);
  });

  test("MCP-12: an exact name wins, all other colliders are suffixed, a name in use is no alias", () => {
    expect(functionsOf("create_issue", "createIssue", "create-issue")).toEqual({
      create_issue: ["createIssue_d8b924ea", "create_issue"],
      createIssue: ["createIssue"],
      "create-issue": ["createIssue_e440a110", "create-issue"],
    });
    expect(functionsOf("OEE/Sites/get_site", "OEE_Sites_get_site")).toEqual({
      "OEE/Sites/get_site": ["oeeSitesGetSite_6ad997c6", "OEE/Sites/get_site"],
      OEE_Sites_get_site: ["oeeSitesGetSite_67c8b2e1", "OEE_Sites_get_site"],
    });
  });

  test("names that the language looks up are never taken, not even as aliases", () => {
    expect(functionsOf("then", "toJSON", "delete", "__proto__", "$api", "resources")).toEqual({
      then: ["then_088c429e"],
      toJSON: ["toJSON_e3c4e15a"],
      delete: ["delete_f8ed2f10"],
      ["__proto__"]: ["__proto___dadccba9"],
      $api: ["$api_bd11356c"],
      resources: ["resources_919ffd79"],
    });
  });

  test("server names: digits stay, colliders are told apart, `index` keeps to itself", () => {
    expect(namespacesOf("context7", "foo1", "foo2", "chrome-devtools", "index", "..", "../../etc")).toEqual({
      context7: ["context7"],
      foo1: ["foo1"],
      foo2: ["foo2"],
      "chrome-devtools": ["chromeDevtools", "chrome-devtools"],
      index: ["index_f99b0009"],
      "..": ["__", ".."],
      "../../etc": ["etc", "../../etc"],
    });
    const sheets = namespacesOf("Google Sheets", "google-sheets", "google_sheets", "GoogleSheets");
    expect(new Set(Object.values(sheets).map(([name]) => name)).size).toBe(4);
    const { ["google-sheets"]: gone, ...rest } = sheets;
    expect(namespacesOf("google_sheets", "GoogleSheets", "Google Sheets")).toEqual(rest);
    expect(gone?.[0]).toMatch(/^googleSheets_[0-9a-f]{8}$/);
  });

  test("the same tool on several servers needs no suffix, and its ids differ", () => {
    const { namespaces } = planNamespaces([server("a", "b:c"), server("a:b", "c")], []);
    expect(namespaces.map((plan) => plan.functions.map(({ id, name }) => [id, name]))).toEqual([
      [["mcp:a:b\\:c", "bC"]],
      [["mcp:a\\:b:c", "c"]],
    ]);
  });

  test("MCP-12: within a run a name stays with its tool and passes to no other", () => {
    const before = planNamespaces([server("s", "create_issue", "list_issues")], []).namespaces;
    const after = planNamespaces([server("s", "createIssue", "create_issue", "listIssues")], before).namespaces;
    expect(after[0]?.functions.map(({ name, aliases, tool }) => [tool.name, name, ...aliases])).toEqual([
      ["createIssue", "createIssue_97638913"],
      ["create_issue", "createIssue", "create_issue"],
      ["listIssues", "listIssues_5f821090"],
    ]);
  });

  test("MCP-07: doubles and nameless tools are left out with a problem", () => {
    const bad = { ...server("s", "a", "a"), tools: [...server("s", "a", "a").tools, { name: 7 }, null] as never };
    expect(planNamespaces([bad, server("s")], [])).toMatchObject({
      namespaces: [{ server: "s", functions: [{ name: "a" }] }],
      problems: [
        { server: "s", problem: "A server of this name came before; this one is left out." },
        { server: "s", tool: "a", problem: "A tool of this name came before; this one is left out." },
        { server: "s", problem: "A tool's name is 7; the tool is left out." },
        { server: "s", problem: "A tool's name is undefined; the tool is left out." },
      ] satisfies { server: string; tool?: McpToolDescriptor["name"]; problem: string }[],
    });
  });
});
