import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCodeMode, type CodeMode, type CodeModeRun } from "@codemode/core";
import { connectMcpServers, type McpConnection } from "../src/index.js";
import { fixturePath } from "./connect-fixture.js";
import { openEverythingOverHttp, publishedServer, type EverythingOverHttp } from "./published-servers.js";

// Servers start side by side on a machine that may have other things to do.
const PATIENCE_MS = 120_000;
const node = process.execPath;

let folder: string;
let web: EverythingOverHttp;
let connection: McpConnection;
let codeMode: CodeMode;
let run: CodeModeRun;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "codemode-cell-")));
  await writeFile(join(folder, "note.txt"), "remember the milk");
  await writeFile(join(folder, "eslint.config.mjs"), 'export default [{ rules: { "no-var": "error" } }];\n');
  await writeFile(join(folder, "old.js"), "var x = 1;\n");
  web = await openEverythingOverHttp();
  const fixture = (name: string) => ({ command: node, args: [fixturePath(name)] });
  connection = await connectMcpServers(
    {
      mcpServers: {
        everything: { command: node, args: [publishedServer("@modelcontextprotocol/server-everything"), "stdio"] },
        filesystem: { command: node, args: [publishedServer("@modelcontextprotocol/server-filesystem"), folder] },
        memory: {
          command: node,
          args: [publishedServer("@modelcontextprotocol/server-memory")],
          env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
        },
        // No browser is started: the path of one that is not there makes that the same everywhere.
        playwright: { command: node, args: [publishedServer("@playwright/mcp"), "--executable-path", "/no/browser"] },
        "sequential-thinking": {
          command: node,
          args: [publishedServer("@modelcontextprotocol/server-sequential-thinking")],
        },
        eslint: { command: node, args: [publishedServer("@eslint/mcp")], cwd: folder },
        time: { command: node, args: [publishedServer("@modelcontextprotocol/server-basic-vanillajs"), "--stdio"] },
        web: { url: web.url },
        dying: fixture("dies-mid-call.mjs"),
        hanging: { ...fixture("records-cancels.mjs"), callTimeoutMs: 400 },
        flooding: fixture("floods-answer.mjs"),
        broken: fixture("bad-tools.mjs"),
      },
    },
    { startTimeoutMs: PATIENCE_MS },
  );
  codeMode = createCodeMode({ config: { timeoutMs: 60_000 } });
  run = codeMode.openRun({ scope: { agentRunId: "servers" }, tools: [], mcp: connection.servers });
}, PATIENCE_MS);

afterAll(async () => {
  await codeMode.close();
  await connection.close();
  web.child.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

async function valueOf(code: string): Promise<unknown> {
  const result = await run.exec({ code });
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return result.value;
}

test("MCP-10: seven published servers over stdio and one over HTTP are listed, without a problem of theirs", () => {
  const counts = Object.fromEntries(connection.servers.map(({ name, tools }) => [name, tools.length]));
  expect(Object.keys(counts)).toEqual(
    "everything filesystem memory playwright sequential-thinking eslint time web dying hanging flooding broken".split(
      " ",
    ),
  );
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  expect(new Set(connection.problems.map(({ server }) => server))).toEqual(new Set(["broken"]));
});

test("MCP-10: one cell calls seven published servers over stdio", { timeout: PATIENCE_MS }, async () => {
  const code = `
    const file = ${JSON.stringify(join(folder, "note.txt"))};
    const entity = { name: "milk", entityType: "errand", observations: ["is out"] };
    const [sum, note, graph, tabs, thought, lint, time] = await Promise.all([
      MCP.everything.getSum.value({ a: 2, b: 3 }),
      MCP.filesystem.readTextFile.value({ path: file }),
      MCP.memory.createEntities({ entities: [entity] }).then(() => MCP.memory.readGraph.value({})),
      MCP.playwright.browserTabs({ action: "list" }),
      MCP.sequentialThinking.sequentialthinking.value({
        thought: "buy milk", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1,
      }),
      MCP.eslint.lintFiles({ filePaths: [${JSON.stringify(join(folder, "old.js"))}] }),
      MCP.time.getTime.value({}),
    ]);
    const { messages } = JSON.parse(lint.content[1].text);
    return {
      sum, note, graph, thought,
      lint: messages.map(({ ruleId }) => ruleId),
      time: Number.isFinite(Date.parse(time.time)),
      tabs: { isError: tabs.isError, text: tabs.content[0].text.split("\\n")[0] },
    };`;
  expect(await valueOf(code)).toEqual({
    sum: "The sum of 2 and 3 is 5.",
    note: { content: "remember the milk" },
    graph: { entities: [{ name: "milk", entityType: "errand", observations: ["is out"] }], relations: [] },
    thought: {
      thoughtNumber: 1,
      totalThoughts: 1,
      nextThoughtNeeded: false,
      branches: [],
      thoughtHistoryLength: 1,
    },
    lint: ["no-var"],
    time: true,
    tabs: { isError: true, text: "### Error" },
  });
});

test("MCP-10: a cell calls the published server over HTTP, with its resources and prompts", async () => {
  const code = `
    const { resources } = await MCP.web.resources.list();
    const { contents } = await MCP.web.resources.read({ uri: resources[0].uri });
    const { prompts } = await MCP.web.prompts.list();
    return { sum: await MCP.web.getSum.value({ a: 4, b: 5 }), read: contents[0].uri === resources[0].uri, prompts: prompts.length };`;
  expect(await valueOf(code)).toEqual({ sum: "The sum of 4 and 5 is 9.", read: true, prompts: 4 });
});

test("MCP-10: servers that die, hang, flood or list a broken schema are errors a cell can catch, and the rest works", async () => {
  const code = `
    const told = (promise) => promise.then(() => "no error", ({ code, message }) => ({ code, message }));
    const [dying, hanging, flooding] = await Promise.all([
      told(MCP.dying.die({})), told(MCP.hanging.slow({})), told(MCP.flooding.flood({})),
    ]);
    const { cancelled } = await MCP.hanging.cancelled.value({});
    return {
      dying, hanging, flooding, cancelled: cancelled.length,
      afterFlood: await MCP.flooding.fine.value({}),
      afterBabble: await MCP.flooding.babble.value({}),
      broken: await MCP.broken.oddSchema.value({ any: "input" }),
      rest: await MCP.everything.echo.value({ message: "hello" }),
    };`;
  expect(await valueOf(code)).toEqual({
    dying: {
      code: "mcp_server_failed",
      message: expect.stringMatching(
        /^MCP server "dying" is gone: it exited with code 7; its last words: Error: the disk is on fire/,
      ) as unknown,
    },
    hanging: {
      code: "mcp_server_failed",
      message:
        'MCP server "hanging" is too slow: tool "slow" gave neither an answer nor a sign of progress for 400 ms. It was told to cancel it and takes other requests; allow more time with callTimeoutMs, or ask for less.',
    },
    cancelled: 1,
    flooding: {
      code: "mcp_server_failed",
      message:
        'MCP server "flooding" refused tools/call: the answer of 50000073 bytes is larger than this client accepts; ask for less at a time (code -32603).',
    },
    afterFlood: "fine",
    afterBabble: "fine",
    broken: "odd_schema",
    rest: "Echo: hello",
  });
});
