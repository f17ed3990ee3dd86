import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codemode, serverFixture } from "./spawn-codemode.js";

let folder: string;
let mcpFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-surface-"));
  mcpFile = join(folder, "mcp.json");
  const fixture = { command: process.execPath, args: [serverFixture] };
  await writeFile(mcpFile, JSON.stringify({ mcpServers: { fixture, "other one": fixture } }));
});
afterAll(() => rm(folder, { recursive: true }));

test("SURF-03: codemode surface shows what a client's model sees, with tokens beside the servers' own tools", async () => {
  const { code, out, err } = await codemode(["surface", "--mcp", mcpFile]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.replace(/\d[\d,.]*/g, "N").replace(/ +/g, " ")).toBe(`What the model sees
 TOOL TOKENS
 exec N
 wait N
 (instructions) N
 together N

In place of
 SERVER IN A CELL TOOLS TOKENS
 fixture MCP.fixture N N
 other one MCP.otherOne N N
 together N N

N tokens in place of N N % (oNk).
`);
});

test("SURF-03: --json has the texts and the counts, --text the texts", async () => {
  const { out } = await codemode(["surface", "--mcp", mcpFile, "--json"]);
  const surface = JSON.parse(out) as { tools: { name: string; description: string }[]; size: { direct: number } };
  expect(surface).toMatchObject({
    tools: [{ name: "exec" }, { name: "wait" }],
    namespaces: [
      { server: "fixture", name: "fixture", functions: 3 },
      { server: "other one", name: "otherOne", functions: 3 },
    ],
    problems: [],
    size: { servers: [{ server: "fixture", tools: 3 }, { namespace: "otherOne" }] },
  });
  const { out: texts } = await codemode(["surface", "--mcp", mcpFile, "--text"]);
  expect(texts).toContain(surface.tools[0]?.description);
});

test("MCP-05: codemode types prints the declarations, of one server, or writes them as files", async () => {
  const all = await codemode(["types", "--mcp", mcpFile]);
  expect(all.code).toBe(0);
  expect(all.out).toContain("function add(input: { a: number; b: number }): Promise<McpToolResult>;");
  const one = await codemode(["types", "--mcp", mcpFile, "--server", "other one"]);
  expect(one.out).toContain("declare namespace MCP.otherOne {");
  expect(one.out).not.toContain("MCP.fixture");
  const types = join(folder, "types");
  const written = await codemode(["types", "--mcp", mcpFile, "--out", types]);
  expect({ code: written.code, out: written.out }).toEqual({ code: 0, out: "" });
  expect(await readFile(join(types, "mcp", "otherOne.d.ts"), "utf8")).toBe(one.out);
  expect(await codemode(["types", "--mcp", mcpFile, "--server", "third"])).toEqual({
    code: 2,
    out: "",
    err: 'codemode: --server names no usable server: "third"; there are "fixture", "other one".\n',
  });
});
