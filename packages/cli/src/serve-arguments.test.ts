import { expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.js";
import { readServeArguments, SERVE_OPTIONS } from "./serve-arguments.js";

const TOKEN = "token-of-this-test-1";
const read = (words: string, env: Record<string, string> = {}) =>
  readServeArguments(parseArguments(words.split(" "), SERVE_OPTIONS, "codemode serve"), env);

test("E2E-03: standard input is the default, HTTP a port", () => {
  expect(read("--mcp mcp.json", { CODEMODE_TOKEN: TOKEN })).toEqual({
    mcpFile: "mcp.json",
    startTimeoutMs: 15_000,
    http: undefined,
    timeoutMs: undefined,
    showsLogs: false,
  });
  expect(read("--mcp mcp.json --http 0 --timeout 60000 --start-timeout 500 --server-logs")).toEqual({
    mcpFile: "mcp.json",
    startTimeoutMs: 500,
    http: { port: 0, allowedHosts: [] },
    timeoutMs: 60_000,
    showsLogs: true,
  });
});

test("SEC-04: the token comes from the environment only", () => {
  expect(
    read("--mcp m --http 80 --host 0.0.0.0 --allow-host a.example,b.example", { CODEMODE_TOKEN: TOKEN }).http,
  ).toEqual({
    port: 80,
    host: "0.0.0.0",
    token: TOKEN,
    allowedHosts: ["a.example", "b.example"],
  });
  expect(() => read(`--mcp m --http 80 --token ${TOKEN}`)).toThrow(
    'there is no option "--token"; see codemode serve --help.',
  );
});

test.each([
  ["--http 80", "--mcp is missing; name the file with your MCP servers."],
  ["--mcp m --http 65536", '--http must be a port from 0 to 65535, not "65536".'],
  ["--mcp m --http -1", '--http must be a port from 0 to 65535, not "-1".'],
  ["--mcp m --host ::1", "--host counts only with --http; add --http <port>."],
  ["--mcp m --allow-host a", "--allow-host counts only with --http; add --http <port>."],
  ["--mcp m --timeout 60001", '--timeout must be a whole number of milliseconds from 100 to 60000, not "60001".'],
  ["mcp.json", '"mcp.json" is no option of codemode serve; see codemode serve --help.'],
])("E2E-03: %s is refused with the next step", (words, message) => {
  expect(() => read(words)).toThrow(message);
});
