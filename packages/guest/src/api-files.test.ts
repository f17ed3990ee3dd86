import { expect, test } from "vitest";
import { createApi } from "./api-files.js";

interface Api {
  list(prefix?: unknown): Promise<readonly { path: string }[]>;
  read(path?: unknown): Promise<string>;
}

const files = ["mcp/index.d.ts", "mcp/github.d.ts", "agents.d.ts"].map((path) => ({
  path,
  description: `About ${path}.`,
  content: `// ${path}`,
  bytes: path.length + 3,
}));
const api = createApi({
  files: () => files.map(({ path, description, bytes }) => ({ path, description, bytes })),
  file: (path) => files.find((file) => file.path === path)?.content ?? null,
}) as Api;

test("MCP-04: files are listed by prefix and read by path", async () => {
  const row = { path: "mcp/github.d.ts", description: "About mcp/github.d.ts.", bytes: 18 };
  expect((await api.list()).map((file) => file.path)).toEqual(["mcp/index.d.ts", "mcp/github.d.ts", "agents.d.ts"]);
  expect((await api.list("mcp")).map((file) => file.path)).toEqual(["mcp/index.d.ts", "mcp/github.d.ts"]);
  expect({ ...(await api.list("mcp/github.d.ts"))[0] }).toEqual(row);
  expect(Object.isFrozen(await api.list("mcp/"))).toBe(true);
  expect(await api.read("mcp/github.d.ts")).toBe("// mcp/github.d.ts");
});

test.each([
  ["mcp/none.d.ts", 'API.read: there is no file "mcp/none.d.ts"; API.list() names all files.'],
  ["../secret", 'API.read: "../secret" is not a path; segments must be plain names.'],
  ["mcp/./index.d.ts", 'API.read: "mcp/./index.d.ts" is not a path; segments must be plain names.'],
  ["mcp//index.d.ts", 'API.read: "mcp//index.d.ts" is not a path; segments must be plain names.'],
  ["__proto__", 'API.read: there is no file "__proto__"; API.list() names all files.'],
  [7, "API.read takes a path as text."],
  [undefined, "API.read takes a path as text."],
])("MCP-11: reading %j is refused", async (path, message) => {
  await expect(api.read(path)).rejects.toMatchObject({ message });
});

test("MCP-11: a prefix with dot segments is refused, an unknown one says so", async () => {
  await expect(api.list("mcp/..")).rejects.toThrow('API.list: "mcp/.." is not a path');
  await expect(api.list("gone")).rejects.toThrow(
    'API.list: there is nothing under "gone"; API.list() names all files.',
  );
});
