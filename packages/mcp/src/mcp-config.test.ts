import { expect, test } from "vitest";
import { parseMcpConfig } from "./mcp-config.js";

test("MCP-10: the shared file format is read, other clients' fields are ignored, disabled servers left out", () => {
  const content = {
    $schema: "x",
    inputs: [],
    mcpServers: {
      files: { type: "stdio", command: "npx", args: ["-y", "server"], env: { TOKEN: "t" }, cwd: "/w", timeout: 5 },
      bare: { command: "server", args: null, env: null, cwd: null, callTimeoutMs: null },
      web: { type: "http", url: "https://example.com/mcp", headers: { a: "b" } },
      slow: { command: "server", startTimeoutMs: 1, requestTimeoutMs: 2, callTimeoutMs: 2_147_483_647 },
      far: { url: "https://example.com/mcp", callTimeoutMs: 5 },
      off: { command: "server", disabled: true },
    },
  };
  expect(parseMcpConfig(content)).toEqual({
    mcpServers: {
      files: { command: "npx", args: ["-y", "server"], env: { TOKEN: "t" }, cwd: "/w" },
      bare: { command: "server" },
      web: { url: "https://example.com/mcp", headers: { a: "b" } },
      slow: { command: "server", startTimeoutMs: 1, requestTimeoutMs: 2, callTimeoutMs: 2_147_483_647 },
      far: { url: "https://example.com/mcp", callTimeoutMs: 5 },
    },
  });
  expect(parseMcpConfig({ mcpServers: {} })).toEqual({ mcpServers: {} });
});

test("MCP-10: checked content passes the check again unchanged", () => {
  const once = parseMcpConfig({ mcpServers: { a: { command: "c", args: ["x"] }, b: { url: "http://localhost:1/u" } } });
  expect(parseMcpConfig(once)).toEqual(once);
});

test.each([
  [[], "the top level", "must be an object, not an array"],
  [null, "the top level", "must be an object, not null"],
  [{}, "mcpServers", 'is missing; add { "mcpServers": { … } }, which some clients call "servers"'],
  [{ mcpServers: [] }, "mcpServers", "must be an object, not an array"],
  [{ mcpServers: { a: "npx" } }, "mcpServers.a", "must be an object, not a string"],
  [{ mcpServers: { a: {} } }, "mcpServers.a", 'needs a "command" (or a "url")'],
  [{ mcpServers: { " ": {} } }, 'mcpServers[" "]', "has an empty name; give the server a name"],
  [
    { mcpServers: { "my server": { command: "" } } },
    'mcpServers["my server"].command',
    "must be a non-empty string, not an empty string",
  ],
  [{ mcpServers: { a: { command: 5 } } }, "mcpServers.a.command", "must be a non-empty string, not 5"],
  [{ mcpServers: { a: { url: "ftp://a.b" } } }, "mcpServers.a.url", "must be an http or https address"],
  [{ mcpServers: { a: { url: "secret" } } }, "mcpServers.a.url", "must be an http or https address"],
  [
    { mcpServers: { a: { url: "http://a.b", type: "sse" } } },
    "mcpServers.a.type",
    'must be "http": servers of the older sse transport are not supported',
  ],
  [
    { mcpServers: { a: { url: "http://a.b", headers: { "X-Key": 1 } } } },
    "mcpServers.a.headers.X-Key",
    "must be a string, not 1",
  ],
  [
    { mcpServers: { a: { url: "http://a.b", headers: { "X-Key": "secret\nvalue" } } } },
    "mcpServers.a.headers.X-Key",
    "has characters that no header may have",
  ],
  [
    { mcpServers: { a: { url: "http://a.b", headers: { "X Key": "secret" } } } },
    'mcpServers.a.headers["X Key"]',
    "is no name of a header",
  ],
  [
    { mcpServers: { a: { url: "http://user:secret@a.b" } } },
    "mcpServers.a.url",
    'must hold no user name or password; send them by an "Authorization" header',
  ],
  [{ mcpServers: { a: { url: 5 } } }, "mcpServers.a.url", "must be a non-empty string, not 5"],
  [
    { mcpServers: { a: { command: "c", args: "x" } } },
    "mcpServers.a.args",
    "must be an array of strings, not a string",
  ],
  [{ mcpServers: { a: { command: "c", args: ["x", 1] } } }, "mcpServers.a.args[1]", "must be a string, not 1"],
  [{ mcpServers: { a: { command: "c", env: { A: true } } } }, "mcpServers.a.env.A", "must be a string, not true"],
  [{ mcpServers: { a: { command: "c", env: "sk-secret" } } }, "mcpServers.a.env", "must be an object, not a string"],
  [{ mcpServers: { a: { command: "c", cwd: 1 } } }, "mcpServers.a.cwd", "must be a non-empty string, not 1"],
  [
    { mcpServers: { a: { command: "c", callTimeoutMs: "5000" } } },
    "mcpServers.a.callTimeoutMs",
    "must be a whole number from 1 to 2147483647, not a string",
  ],
  [
    { mcpServers: { a: { command: "c", startTimeoutMs: 0 } } },
    "mcpServers.a.startTimeoutMs",
    "must be a whole number from 1 to 2147483647, not 0",
  ],
  [
    { mcpServers: { "a b": { url: "http://a.b", requestTimeoutMs: 1.5 } } },
    'mcpServers["a b"].requestTimeoutMs',
    "must be a whole number from 1 to 2147483647, not 1.5",
  ],
])("%j is refused at %s", (content, path, problem) => {
  expect(() => parseMcpConfig(content, "mcp.json")).toThrow(
    expect.objectContaining({
      code: "invalid_argument",
      message: `mcp.json: ${path} ${problem}.`,
      details: { path, problem },
    }),
  );
});

test("a server named like a prototype member is a server", () => {
  const content = JSON.parse('{"mcpServers":{"__proto__":{"command":"c"},"constructor":{"command":"d"}}}') as unknown;
  const { mcpServers } = parseMcpConfig(content);
  expect(Object.entries(mcpServers)).toEqual([
    ["__proto__", { command: "c" }],
    ["constructor", { command: "d" }],
  ]);
});
