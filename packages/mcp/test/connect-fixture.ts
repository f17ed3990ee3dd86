import { fileURLToPath } from "node:url";
import type { McpCallResult, McpServerDescriptor, ToolCallContext } from "@codemode/protocol";
import { connectMcpServers, type McpConnection, type McpConnectOptions } from "../src/index.js";

export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

/** Connects one fixture under the name `fixture`. */
export function connectFixture(
  name: string,
  { args = [], env = {}, cwd }: { args?: string[]; env?: Record<string, string>; cwd?: string } = {},
  options: McpConnectOptions = {},
): Promise<McpConnection> {
  const entry = { command: process.execPath, args: [fixturePath(name), ...args], env };
  return connectMcpServers({ mcpServers: { fixture: cwd === undefined ? entry : { ...entry, cwd } } }, options);
}

export function callContext(signal = new AbortController().signal): ToolCallContext {
  return {
    call: {
      id: "call_1",
      toolId: "mcp:fixture:tool",
      toolName: "tool",
      callableName: "MCP.fixture.tool",
      source: "mcp",
      input: {},
      scope: { agentRunId: "run" },
    },
    signal,
    remainingMs: 1_000,
    onUpdate: () => {},
    suspendBudget: (whileWaiting) => whileWaiting,
  };
}

/** The first server of a connection. */
export function firstServer(connection: McpConnection): McpServerDescriptor {
  const server = connection.servers[0];
  if (server === undefined) throw new Error(`No server: ${JSON.stringify(connection.problems)}`);
  return server;
}

/** The text of a result's first content block. */
export function textOf(result: McpCallResult): string {
  const text = result.content[0]?.["text"];
  if (typeof text !== "string") throw new Error(`No text: ${JSON.stringify(result)}`);
  return text;
}
