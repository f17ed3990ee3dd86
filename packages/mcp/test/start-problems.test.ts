import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { connectMcpServers } from "../src/index.js";
import { callContext, connectFixture, firstServer, fixturePath, textOf } from "./connect-fixture.js";

const lost = (problem: string, server = "fixture") => ({ server, isServerLost: true, problem });

test("MCP-10: a server that cannot start is one clear line and costs no other server", async () => {
  await using connection = await connectMcpServers({
    mcpServers: {
      absent: { command: "no-such-command-anywhere" },
      misplaced: { command: process.execPath, cwd: "/no/such/folder" },
      remote: { url: "http://127.0.0.1:9/mcp" },
      fine: { command: process.execPath, args: [fixturePath("bad-tools.mjs")] },
    },
  });
  expect(connection.servers.map((server) => server.name)).toEqual(["fine"]);
  expect(connection.problems.filter((problem) => problem.isServerLost)).toEqual([
    lost('command "no-such-command-anywhere" was not found; install it or correct mcpServers.absent.command', "absent"),
    lost('its working directory "/no/such/folder" is no folder; correct mcpServers.misplaced.cwd', "misplaced"),
    lost("initialize failed: fetch failed; check its url and headers, and that it runs", "remote"),
  ]);
});

test("MCP-10: a command that may not be run says so", async () => {
  await using connection = await connectMcpServers({ mcpServers: { folder: { command: tmpdir() } } });
  expect(connection.problems).toEqual([
    lost(`command "${tmpdir()}" could not be started (EACCES); correct mcpServers.folder`, "folder"),
  ]);
});

test("MCP-10: a server that exits at its start is explained by its own words", async () => {
  await using connection = await connectFixture("exits-at-start.mjs");
  expect(connection.problems).toEqual([
    lost(
      "it exited with code 3 before it was ready; its last words: Error: API_KEY is not set; run its command in a terminal to see why",
    ),
  ]);
});

test.concurrent.each([
  { name: "hangs-at-start.mjs", step: "initialize", hint: "; its last words: waiting for a licence server" },
  { name: "hangs-at-list.mjs", step: "tools/list", hint: "" },
  {
    name: "prints-garbage.mjs",
    args: ["only"],
    step: "initialize",
    hint: '; it printed "Welcome to my server!" where messages belong',
  },
])("MCP-10: $name is given up after the start timeout", async ({ name, args = [], step, hint }) => {
  await using connection = await connectFixture(name, { args }, { startTimeoutMs: 2_500, closeGraceMs: 300 });
  expect(connection.servers).toEqual([]);
  expect(connection.problems).toEqual([
    lost(
      `it did not answer ${step} within 2500 ms${hint}; run its command in a terminal, or allow it more time with startTimeoutMs`,
    ),
  ]);
});

test.each([
  ["refuses-to-list.mjs", [], "tools/list failed: not logged in (code -32000)"],
  ["lists-nothing.mjs", [], "tools/list failed: the answer to tools/list holds no array of tools"],
  ["wrong-handshake.mjs", ["version"], "initialize failed: Server's protocol version is not supported: 1999-01-01"],
  [
    "wrong-handshake.mjs",
    ["malformed"],
    "initialize failed: its answer is malformed: protocolVersion (expected string, received number), capabilities (expected object, received undefined)",
  ],
  ["wrong-handshake.mjs", ["text"], "initialize failed: the answer is not an object (code -32603)"],
])("MCP-10: %s %j is given up with its reason", async (name, args, problem) => {
  await using connection = await connectFixture(name, { args });
  expect(connection.servers).toEqual([]);
  expect(connection.problems).toEqual([lost(`${problem}; run its command in a terminal to see why`)]);
});

test("MCP-10: output that is no message is passed over", async () => {
  await using connection = await connectFixture("prints-garbage.mjs");
  expect(connection.problems).toEqual([]);
  expect(await firstServer(connection).callTool("echo", { a: "ü" }, callContext())).toEqual({
    content: [{ type: "text", text: '{"a":"ü"}' }],
  });
});

test("MCP-10: a byte order mark before the first message costs no server", async () => {
  await using connection = await connectFixture("prints-garbage.mjs", { args: ["mark"] });
  expect(connection.problems).toEqual([]);
  expect(connection.servers.map((server) => server.name)).toEqual(["fixture"]);
});

test("MCP-10: a server that floods its standard error works", async () => {
  await using connection = await connectFixture("floods-stderr.mjs");
  expect(await firstServer(connection).callTool("echo", {}, callContext())).toEqual({
    content: [{ type: "text", text: "through the flood" }],
  });
});

test("MCP-10: a server sees its configured environment and the safe inherited variables only", async () => {
  process.env["CODEMODE_TEST_SECRET"] = "leak";
  try {
    const set = { args: ["--flag"], env: { TOKEN: "${NOT_EXPANDED}" }, cwd: fixturePath("..") };
    await using connection = await connectFixture("shows-environment.mjs", set);
    const { content } = await firstServer(connection).callTool("environment", {}, callContext());
    const shown = JSON.parse(textOf({ content })) as Record<string, unknown>;
    expect(shown["args"]).toEqual(["--flag"]);
    expect(shown["cwd"]).toBe(fixturePath("..").replace(/\/$/, ""));
    expect(shown["env"]).toMatchObject({ TOKEN: "${NOT_EXPANDED}", PATH: process.env["PATH"] });
    expect(shown["env"]).not.toHaveProperty("CODEMODE_TEST_SECRET");
  } finally {
    delete process.env["CODEMODE_TEST_SECRET"];
  }
});
