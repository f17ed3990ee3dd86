import { expect, test } from "vitest";
import type { McpCallResult, McpServerDescriptor, NestedCall } from "@codemode/protocol";
import { createTestHost, tool } from "../test/fakes/test-host.js";

function server(name: string, results: Record<string, McpCallResult>, more: Partial<McpServerDescriptor> = {}) {
  const calls: unknown[] = [];
  const descriptor: McpServerDescriptor = {
    name,
    tools: Object.keys(results).map((toolName) => ({
      name: toolName,
      description: `Tool ${toolName}.`,
      inputSchema: { type: "object", properties: { size: { type: "integer", default: 10 } } },
    })),
    callTool: async (toolName, args) => {
      calls.push([toolName, args]);
      return results[toolName] as McpCallResult;
    },
    ...more,
  };
  return { descriptor, calls };
}

test("MCP-01, MCP-02: a namespace call goes through hooks and approvals, with defaults, and returns content only", async () => {
  const seen: NestedCall[] = [];
  const { descriptor, calls } = server("github", {
    create_issue: {
      content: [{ type: "text", text: "made", annotations: { priority: 1 }, _meta: { kept: true } }],
      structuredContent: { id: 7 },
      isError: true,
      _meta: { secret: true },
      privateApp: { secret: true },
    } as McpCallResult,
  });
  const { run } = createTestHost({
    programs: { main: (guest) => guest.call("MCP.github.createIssue", { title: "x" }) },
    run: {
      tools: [tool("echo", (input) => input)],
      mcp: [descriptor],
      hooks: { beforeToolCall: async (call) => void (call.toolKind === undefined && seen.push(call)) },
      approve: async (call) => (call.toolName === "create_issue" ? "allow" : { deny: "no" }),
    },
  });
  const result = await run.exec({ code: "main" });
  expect(result).toMatchObject({
    status: "completed",
    value: {
      content: [{ type: "text", text: "made", annotations: { priority: 1 }, _meta: { kept: true } }],
      structuredContent: { id: 7 },
      isError: true,
    },
  });
  expect(Object.keys((result as { value: object }).value)).toEqual(["content", "structuredContent", "isError"]);
  expect(calls).toEqual([["create_issue", { title: "x", size: 10 }]]);
  expect(seen).toMatchObject([
    { toolName: "create_issue", callableName: "MCP.github.createIssue", source: "mcp", input: { title: "x" } },
  ]);
  expect(result.telemetry).toMatchObject({ catalogSize: 2, sources: { host: 1, mcp: 1 } });
});

test("EXEC-11: MCP calls are named as the guest calls them, in the ledger and while waiting", async () => {
  const { descriptor } = server(
    "github",
    {},
    {
      tools: [{ name: "search", inputSchema: {} }],
      callTool: () => Promise.reject(new Error("connection lost")),
    },
  );
  const { run } = createTestHost({
    programs: { main: (guest) => guest.call("MCP.github.search") },
    run: { mcp: [descriptor] },
  });
  const { telemetry: _, replaySafe: __, ...result } = await run.exec({ code: "main" });
  expect(result).toEqual({
    status: "failed",
    error: "Error: connection lost",
    failurePhase: "guest",
    calls: [{ name: "MCP.github.search", status: "failed" }],
  });
});

test("a server whose result has no content is an error", async () => {
  const { descriptor } = server("odd", { ping: { value: 1 } as never });
  const { run } = createTestHost({
    programs: {
      main: (guest) => guest.call("MCP.odd.ping").catch(String),
    },
    run: { mcp: [descriptor] },
  });
  expect(await run.exec({ code: "main" })).toMatchObject({
    value: "TypeError: The MCP server's result has no content array but undefined.",
  });
});

test("CAT-04: MCP is absent from search and from the surface's tools by default, and searchable when asked for", async () => {
  const make = (catalogIncludesMcp: boolean) =>
    createTestHost({
      config: { catalogIncludesMcp },
      programs: { main: (guest) => guest.search("create issue") },
      run: {
        tools: [tool("echo", (input) => input)],
        mcp: [server("github", { create_issue: { content: [] } }).descriptor],
      },
    });
  const without = make(false);
  expect(await without.run.exec({ code: "main" })).toMatchObject({ value: [] });
  expect(without.executor.starts).toMatchObject([{ surface: { tools: [{ callableName: "echo", isGlobal: true }] } }]);
  const included = make(true);
  expect(await included.run.exec({ code: "main" })).toMatchObject({ value: ["MCP.github.createIssue"] });
  expect(included.executor.starts).toMatchObject([
    {
      surface: {
        tools: [
          { binding: 0, callableName: "echo", isGlobal: true },
          { binding: 1, callableName: "MCP.github.createIssue", input: "unknown", source: "mcp", isGlobal: false },
        ],
        mcp: [{ name: "github", functions: [{ name: "createIssue", binding: 1 }] }],
      },
    },
  ]);
});

test("CAT-09: a narrowed run has no binding, no namespace function and no declaration of what was denied", async () => {
  const { run, executor } = createTestHost({
    programs: { main: () => null },
    run: {
      tools: [tool("read", () => null), tool("write", () => null)],
      mcp: [server("github", { create_issue: { content: [] }, list_issues: { content: [] } }).descriptor],
    },
  });
  const { counterScope } = run.telemetry();
  run.narrow((name) => name === "read" || name === "MCP.github.list_issues");
  await run.exec({ code: "main" });
  const [start] = executor.starts;
  const surface = (start as { surface: { tools: object[]; mcp: object[]; apiFiles: { content: string }[] } }).surface;
  expect(surface.tools).toMatchObject([{ callableName: "read" }]);
  expect(surface.mcp).toMatchObject([{ name: "github", functions: [{ name: "listIssues", binding: 1 }] }]);
  expect(surface.apiFiles.map(({ content }) => content).join("\n")).not.toContain("createIssue");
  expect(run.telemetry()).toMatchObject({ counterScope, catalogSize: 2, sources: { host: 1, mcp: 1 } });
});

test("MCP-12: replaced servers reach new cells under names that keep their meaning", async () => {
  const said = (text: string) => ({ content: [{ type: "text", text }] });
  const { run } = createTestHost({
    programs: {
      main: async (guest) => [
        await guest.call("MCP.github.createIssue"),
        await guest.call("MCP.github.listIssues").catch((error: unknown) => String(error)),
      ],
      more: (guest) => guest.call("MCP.files.read"),
    },
    run: { mcp: [server("github", { create_issue: said("old") }).descriptor] },
  });
  const { counterScope } = run.telemetry();
  expect(run.mcpNamespaces).toEqual([{ server: "github", name: "github", functions: 1 }]);
  run.replaceMcpServers([
    server("github", { create_issue: said("new"), list_issues: said("list") }).descriptor,
    server("files", { read: said("file") }).descriptor,
  ]);
  expect(run.mcpNamespaces).toEqual([
    { server: "github", name: "github", functions: 2 },
    { server: "files", name: "files", functions: 1 },
  ]);
  expect(await run.exec({ code: "main" })).toMatchObject({ value: [said("new"), said("list")] });
  expect(await run.exec({ code: "more" })).toMatchObject({ value: said("file") });
  expect(run.telemetry()).toMatchObject({ counterScope, catalogSize: 3, sources: { mcp: 3 } });
});

test("the first of two servers of one name is used, and the host is told", async () => {
  const first = server("github", { ping: { content: [{ type: "text", text: "first" }] } });
  const second = server("github", { ping: { content: [{ type: "text", text: "second" }] } });
  const { run } = createTestHost({
    programs: { main: (guest) => guest.call("MCP.github.ping") },
    run: { mcp: [first.descriptor, second.descriptor] },
  });
  expect(await run.exec({ code: "main" })).toMatchObject({ value: { content: [{ type: "text", text: "first" }] } });
  expect(run.mcpProblems).toMatchObject([{ server: "github" }]);
});
