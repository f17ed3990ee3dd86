import type { GuestSurface, GuestTool } from "@codemode/protocol";
import { expect, test } from "vitest";
import { createHostLibrary } from "./library/host-library.js";
import { installedPart } from "./surface-answers.js";

function tool(binding: number, callableName: string, isGlobal = true): GuestTool {
  return {
    binding,
    callableName,
    toolName: callableName,
    description: `About ${callableName}.`,
    source: "host",
    isGlobal,
  };
}

const tools = [tool(0, "send_mail"), tool(1, "MCP_notes_get", false), tool(2, "read_file")];
const file = { path: "mcp/notes.d.ts", description: "Notes.", content: "// notes", bytes: 8 };
const mcp = [{ name: "notes", aliases: [], functions: [{ name: "get", aliases: [], binding: 1 }] }];
const surface: GuestSurface = { fingerprint: "f", tools, mcp, apiFiles: [file] };

function ask(question: unknown): unknown {
  return JSON.parse(createHostLibrary().answer(JSON.stringify(question), { isSeeded: false, surface }));
}

test("CAT-03: rows are given in the order they are asked for, those that there are", () => {
  expect(ask({ ask: "tools", bindings: [2, 9, 1] })).toEqual({ value: [tools[2], tools[1]] });
  expect(ask({ ask: "tools", bindings: [] })).toEqual({ value: [] });
  expect(ask({ ask: "global-tools" })).toEqual({ value: [tools[0], tools[2]] });
  expect(ask({ ask: "global-names" })).toEqual({ value: ["send_mail", "read_file"] });
});

test("MCP-04: files are listed without their content, and read by their path", () => {
  const { content, ...row } = file;
  expect(ask({ ask: "files" })).toEqual({ value: [row] });
  expect(ask({ ask: "file", path: "mcp/notes.d.ts" })).toEqual({ value: content });
  for (const path of ["", "mcp", "__proto__"]) expect(ask({ ask: "file", path })).toEqual({ value: null });
});

test.each([
  { ask: "tools" },
  { ask: "tools", bindings: "0" },
  { ask: "tools", bindings: [-1] },
  { ask: "tools", bindings: ["length"] },
  { ask: "tools", bindings: [0.5] },
  { ask: "file" },
  { ask: "file", path: 1 },
])("a question of unknown shape is refused: %j", (question) => {
  expect(ask(question)).toEqual({
    error: { name: "TypeError", message: "The guest library could not be answered." },
  });
});

test("a VM is told names and bindings only", () => {
  expect(JSON.parse(installedPart(surface))).toEqual({ globals: "0 send_mail\n2 read_file\n", mcp });
});
