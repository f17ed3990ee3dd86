import pc from "picocolors";
import { expect, test } from "vitest";
import type { FrontSurface } from "@codemode/mcp";
import { measureSurface } from "./measure-surface.js";
import { renderSurface, renderTexts } from "./render-surface.js";

const colors = pc.createColors(false);
const inputSchema = { type: "object" as const };
const surface: FrontSurface = {
  instructions: "Use exec.",
  tools: [{ name: "exec", title: "Run a program", description: "Runs.", inputSchema }],
  namespaces: [{ server: "my files", name: "my_files", functions: 2 }],
  problems: [],
};
const servers = [
  {
    name: "my files",
    tools: [
      { name: "read", description: "x".repeat(2_000), inputSchema },
      { name: "write", inputSchema: {} },
    ],
    callTool: async () => ({ content: [] }),
  },
];
/** One token for each character. */
const size = measureSurface(surface, servers, (text) => text.length);

test("SURF-03: names, descriptions and input schemas are counted as they go to a model", () => {
  const execTokens = JSON.stringify({ name: "exec", description: "Runs.", inputSchema }).length;
  const direct =
    JSON.stringify({ name: "read", description: "x".repeat(2_000), inputSchema }).length +
    JSON.stringify({ name: "write", description: "", inputSchema: {} }).length;
  expect(size).toEqual({
    tools: [{ name: "exec", tokens: execTokens }],
    instructions: 9,
    total: execTokens + 9,
    servers: [{ server: "my files", namespace: "my_files", tools: 2, tokens: direct }],
    direct,
  });
});

test("SURF-03: the sizes are tables with their sums", () => {
  expect(renderSurface(size, colors)).toBe(`What the model sees
  TOOL            TOKENS
  exec                69
  (instructions)       9
  together            78

In place of
  SERVER    IN A CELL     TOOLS  TOKENS
  my files  MCP.my_files      2   2,114
  together                    2   2,114

78 tokens in place of 2,114, 3.7 % (o200k).
`);
});

test("SURF-03: the texts are shown word by word", () => {
  expect(renderTexts(surface, colors)).toBe(`exec
Runs.

{
  "type": "object"
}

(instructions)
Use exec.
`);
});
