import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMcpConfig } from "./read-mcp-config.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-config-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(content: string): Promise<string> {
  const path = join(folder, "mcp.json");
  await writeFile(path, content);
  return path;
}

test("MCP-10: a file is read, with or without a byte order mark", async () => {
  const text = '{ "mcpServers": { "a": { "command": "c" } } }';
  const expected = { mcpServers: { a: { command: "c" } } };
  expect(await readMcpConfig(await file(text))).toEqual(expected);
  expect(await readMcpConfig(await file(`\ufeff${text}`))).toEqual(expected);
});

test.each([
  [
    '{ "mcpServers": {\n  "a": { "command": "c", }\n} }',
    "the file is not JSON at line 2, column 26; correct it there (comments and trailing commas are not JSON).",
  ],
  ["", "the file is not JSON at line 1, column 1; correct it there (comments and trailing commas are not JSON)."],
  ['{ "mcpServers": { "a": { "args": [] } } }', 'mcpServers.a needs a "command" (or a "url").'],
])("the content %j is refused on one line that names the file and the place", async (content, problem) => {
  const path = await file(content);
  await expect(readMcpConfig(path)).rejects.toMatchObject({
    code: "invalid_argument",
    message: `${path}: ${problem}`,
  });
});

test("a missing file and a folder are named, with the next step", async () => {
  const missing = join(folder, "absent.json");
  await expect(readMcpConfig(missing)).rejects.toMatchObject({
    code: "invalid_argument",
    message: `${missing}: the file was not found; check the path, or create it with { "mcpServers": { … } }.`,
    details: { path: missing, problem: 'was not found; check the path, or create it with { "mcpServers": { … } }' },
  });
  await expect(readMcpConfig(folder)).rejects.toMatchObject({
    message: `${folder}: the file is a folder; name the file in it.`,
  });
});
