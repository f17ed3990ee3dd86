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

test("MCP-06, MCP-12: functions are found by name and alias, bindings by number", () => {
  const group = { name: "resources", functions: [{ name: "read", aliases: [], binding: 7 }] };
  const get = { name: "get", aliases: ["raw-get"], binding: 1 };
  const namespaces = [
    {
      name: "notes",
      aliases: ["n"],
      functions: [get, { ...get, name: "put", aliases: [], binding: 5 }],
      groups: [group],
    },
  ];
  const other = { ...surface, mcp: namespaces };
  const of = (question: unknown): unknown =>
    JSON.parse(createHostLibrary().answer(JSON.stringify(question), { isSeeded: false, surface: other }));
  for (const name of ["get", "raw-get"])
    expect(of({ ask: "function", namespace: "notes", name })).toEqual({ value: 1 });
  for (const name of ["read", "then", ""])
    expect(of({ ask: "function", namespace: "notes", name })).toEqual({ value: null });
  expect(of({ ask: "function", namespace: "nope", name: "get" })).toEqual({ value: null });
  const names = [0, 5, 7, 99, "0"].map((binding) => of({ ask: "callable-name", binding }));
  expect(names).toEqual(["send_mail", "MCP.notes.put", "MCP.notes.resources.read", "", ""].map((value) => ({ value })));
  expect(of({ ask: "declarations", namespace: "notes" })).toEqual({ value: { path: file.path, header: file.content } });
});

test.each([
  { ask: "function", namespace: "notes" },
  { ask: "declarations", namespace: 1 },
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
