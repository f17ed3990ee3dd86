import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpCallResult } from "@codemode/protocol";
import type { McpConnection } from "../src/index.js";
import { callContext, connectFixture, firstServer, textOf } from "./connect-fixture.js";

let connection: McpConnection;

beforeAll(async () => {
  connection = await connectFixture("answers-oddly.mjs", {}, { maxMessageBytes: 1_000_000 });
});
afterAll(() => connection.close());

function call(name: string, args: Record<string, unknown> = {}): Promise<McpCallResult> {
  return firstServer(connection).callTool(name, args, callContext());
}

test("MCP-10: content blocks, structured content, isError and _meta arrive as they were sent", async () => {
  expect(await call("everything")).toEqual({
    content: [{ type: "text", text: "hello", annotations: { audience: ["user"] }, _meta: { block: 1 } }],
    structuredContent: [1, 2],
    isError: false,
    _meta: { top: true },
  });
  expect(await call("failed")).toEqual({ content: [{ type: "text", text: "it went wrong" }], isError: true });
});

test("MCP-10: structured content is handed on whatever the schema says", async () => {
  expect(await call("mismatch")).toEqual({
    content: [{ type: "text", text: "as text" }],
    structuredContent: { anything: ["at all"] },
  });
  expect(await call("structured_only")).toEqual({ content: [], structuredContent: { answer: 42 } });
});

test("MCP-10: _meta that is no object is dropped", async () => {
  expect(await call("null_meta")).toEqual({ content: [{ type: "text", text: "meta is null" }] });
});

test.each([
  ["no_content", "content is undefined instead of an array"],
  ["bad_block", "content[1] is no content block"],
])("MCP-10: the answer of %s is refused as malformed", async (name, problem) => {
  await expect(call(name)).rejects.toMatchObject({
    code: "malformed_message",
    details: { from: 'MCP server "fixture"', problem },
    message: `MCP server "fixture" sent an unreadable result: ${problem}.`,
  });
});

test("MCP-10: an answer in a batch settles its call", async () => {
  expect(await call("batch")).toEqual({ content: [{ type: "text", text: "one of a batch" }] });
});

test("MCP-10: an answer without a result rejects its call at once", async () => {
  await expect(call("null_result")).rejects.toMatchObject({
    code: "mcp_server_failed",
    message: 'MCP server "fixture" refused tools/call: the answer is not an object (code -32603).',
  });
});

test("MCP-10: a refusal keeps the server's reason, on one line", async () => {
  await expect(call("refuse", { a: 1 })).rejects.toMatchObject({
    code: "mcp_server_failed",
    details: { server: "fixture", reason: 'missing "path" in {"a":1}; data: {"a":1} (code -32602)' },
    message: 'MCP server "fixture" refused tools/call: missing "path" in {"a":1}; data: {"a":1} (code -32602).',
  });
});

test.each(["huge", "huge_id_last"])(
  "MCP-10: an answer above maxMessageBytes fails its call only (%s)",
  async (name) => {
    await expect(call(name, { bytes: 3_000_000 })).rejects.toMatchObject({
      code: "mcp_server_failed",
      message: expect.stringMatching(
        /^MCP server "fixture" refused tools\/call: the answer of 30000\d\d bytes is larger than this client accepts; ask for less at a time \(code -32603\)\.$/,
      ) as unknown,
    });
    const { content } = await call(name, { bytes: 500_000 });
    expect(textOf({ content })).toHaveLength(500_000);
  },
);
