import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpServerDescriptor } from "@codemode/protocol";
import { connectMcpServers, type McpConnection } from "../src/index.js";
import { callContext } from "./connect-fixture.js";
import { publishedServer } from "./published-servers.js";

let folder: string;
let connection: McpConnection;
let everything: McpServerDescriptor;
let filesystem: McpServerDescriptor;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "codemode-mcp-")));
  await writeFile(join(folder, "note.txt"), "remember the milk");
  connection = await connectMcpServers({
    mcpServers: {
      everything: {
        command: process.execPath,
        args: [publishedServer("@modelcontextprotocol/server-everything"), "stdio"],
      },
      filesystem: {
        command: process.execPath,
        args: [publishedServer("@modelcontextprotocol/server-filesystem"), folder],
      },
    },
  });
  [everything, filesystem] = connection.servers as [McpServerDescriptor, McpServerDescriptor];
});

afterAll(async () => {
  await connection.close();
  await rm(folder, { recursive: true });
});

test("MCP-10: real servers are started, listed in configured order and without a problem", () => {
  expect(connection.problems).toEqual([]);
  expect(connection.servers.map((server) => server.name)).toEqual(["everything", "filesystem"]);
  expect(everything.tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(["echo", "get-sum"]));
  expect(filesystem.tools.find((tool) => tool.name === "read_text_file")).toMatchObject({
    description: expect.stringContaining("Read the complete contents") as unknown,
    inputSchema: { type: "object", required: ["path"] },
    outputSchema: { type: "object" },
  });
});

test("MCP-10: calls to two real servers run side by side and give their content blocks", async () => {
  const [sum, note] = await Promise.all([
    everything.callTool("get-sum", { a: 2, b: 3 }, callContext()),
    filesystem.callTool("read_text_file", { path: join(folder, "note.txt") }, callContext()),
  ]);
  expect(sum).toEqual({ content: [{ type: "text", text: "The sum of 2 and 3 is 5." }] });
  expect(note).toEqual({
    content: [{ type: "text", text: "remember the milk" }],
    structuredContent: { content: "remember the milk" },
  });
});

test("MCP-10: a failure the tool reports is a result, not an error", async () => {
  const result = await filesystem.callTool("read_text_file", { path: "/outside" }, callContext());
  expect(result.isError).toBe(true);
  expect(result.content[0]).toMatchObject({ type: "text", text: expect.stringContaining("Access denied") as unknown });
});

test("MCP-03: resources and prompts of a real server come in their native shapes", async () => {
  expect(await everything.prompts?.list()).toMatchObject({ prompts: expect.any(Array) as unknown });
  const { resources } = (await everything.resources?.list()) as { resources: { uri: string }[] };
  const uri = resources[0]?.uri;
  expect(await everything.resources?.read({ uri })).toMatchObject({ contents: [{ uri }] });
  expect(filesystem.resources).toBeUndefined();
});

test("MCP-14: progress of a real server reaches the caller", async () => {
  const updates: unknown[] = [];
  const context = { ...callContext(), onUpdate: (partial: unknown) => void updates.push(partial) };
  await everything.callTool("trigger-long-running-operation", { duration: 0.2, steps: 2 }, context);
  // The last one may come after the answer, when nobody waits for it any more.
  expect(updates[0]).toEqual({ type: "progress", progress: 1, total: 2 });
});
