// The main demo. Exits non-zero when a result is not what it should be.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createCodeMode,
  type CodeModeResult,
  type CodeModeRun,
  type McpServerDescriptor,
  type ToolDescriptor,
} from "@codemode/core";
import { connectMcpServers } from "@codemode/mcp";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import * as cells from "./cells.js";
import { createChecks, type Checks } from "./checks.js";
import { createHostTools } from "./host-tools.js";
import * as show from "./show.js";

const checks = createChecks((line) => console.error(line));
const folder = await realpath(await mkdtemp(join(tmpdir(), "codemode-demo-")));
try {
  await writeFile(join(folder, "ada.txt"), "Prefers mornings.\n");
  await writeFile(join(folder, "grace.txt"), "Ships by sea.\n");
  await runDemo();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${checks.passed()} checks passed, ${checks.failures()} failed`);
process.exitCode = checks.failures() === 0 ? 0 : 1;

async function runDemo(): Promise<void> {
  show.heading("Connecting MCP servers");
  const everything = { command: process.execPath, args: [serverScript("everything"), "stdio"] };
  await using servers = await connectMcpServers({
    mcpServers: {
      everything,
      files: { command: process.execPath, args: [serverScript("filesystem"), folder] },
      doomed: everything,
    },
  });
  for (const problem of servers.problems) console.error(`  ${problem.server}: ${problem.problem}`);
  checks.equal("servers", servers.servers.map((server) => server.name).sort(), ["doomed", "everything", "files"]);
  for (const server of servers.servers) console.log(`  ${server.name}: ${server.tools.length} tools`);

  const called: string[] = [];
  const tools: ToolDescriptor[] = [
    ...createHostTools((name) => called.push(name)),
    {
      name: "stop_doomed_server",
      description: "Kills the process of the server named doomed.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
      execute: () => ({ details: { killed: process.kill(servers.processId("doomed") ?? -1, "SIGKILL") } }),
    },
  ];
  await using codeMode = createCodeMode({ config: { timeoutMs: 20_000 } });
  const run = codeMode.openRun({ scope: { agentRunId: "demo" }, tools, mcp: servers.servers });
  showSurface(run, tools, servers.servers);
  await runCells(run, called);
  await using patient = createCodeMode({ config: { timeoutMs: 1_000 } });
  await patient.prewarm();
  await runWaitingCell(patient.openRun({ scope: { agentRunId: "demo" }, tools, mcp: servers.servers }), called);
}

function serverScript(name: "everything" | "filesystem"): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist", "index.js");
}

/** What the model sees, and what it would see without code mode. */
function showSurface(
  run: CodeModeRun,
  tools: readonly ToolDescriptor[],
  servers: readonly McpServerDescriptor[],
): void {
  show.heading("What the model sees");
  for (const tool of run.modelTools) console.log(`  ${tool.name}: ${tool.description.split("\n").join("\n    ")}`);
  const direct = [
    ...tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ...servers.flatMap((server) =>
      server.tools.map((tool) => ({
        name: `${server.name}_${tool.name}`,
        description: tool.description ?? "",
        parameters: tool.inputSchema,
      })),
    ),
  ];
  const withCodeMode = countTokens(JSON.stringify(run.modelTools));
  const without = countTokens(JSON.stringify(direct));
  console.log(
    `\n  ${run.modelTools.length} tools, ${withCodeMode} tokens (o200k); ${direct.length} direct tools: ${without} tokens`,
  );
  console.log(`  ${((withCodeMode / without) * 100).toFixed(0)} % of the direct tools' tokens`);
  checks.equal(
    "model tools",
    run.modelTools.map((tool) => tool.name),
    ["exec", "wait"],
  );
  checks.isTrue("fewer tokens than direct tools", withCodeMode < without);
}

async function runCells(run: CodeModeRun, called: string[]): Promise<void> {
  const joined = await runCell(run, "A JavaScript cell joins host tools and two MCP servers", cells.JOIN);
  expectValue(checks, "join", joined, [
    { name: "Ada", note: "Prefers mornings.", euro: 133.5 },
    { name: "Grace", note: "Ships by sea.", euro: 72 },
  ]);
  checks.equal("join output", joined.output, [
    { type: "text", text: "files: 2" },
    { type: "text", text: "The sum of 19 and 23 is 42." },
  ]);
  const typed = await runCell(run, "A TypeScript cell", cells.TYPED, "typescript");
  expectValue(checks, "typescript", typed, [
    { currency: "EUR", amount: 120 },
    { currency: "USD", amount: 95 },
  ]);
  const caught = await runCell(run, "A cell catches a tool's error", cells.CAUGHT);
  expectValue(checks, "caught", caught, { caught: "Error: There is no customer c-404.", tool: "get_customer" });
  const died = await runCell(run, "A server is killed in the middle of a call", cells.SERVER_DIES);
  const value = died.status === "completed" ? (died.value as { caught?: string; alive?: string }) : {};
  checks.isTrue("a dead server's call is a caught error that names it", value.caught?.includes("doomed") === true);
  checks.equal("the other server still answers", value.alive, "Echo: still here");
  called.length = 0;
}

async function runWaitingCell(run: CodeModeRun, called: readonly string[]): Promise<void> {
  show.heading("A cell that cannot end by its deadline of 1,000 ms waits in good time, and wait goes on with it");
  show.source(cells.OUTLIVES);
  let outcome = await timed("exec", () => run.exec({ code: cells.OUTLIVES }));
  checks.equal("the cell waits", outcome.status, "waiting");
  while (outcome.status === "waiting") {
    const { runId } = outcome;
    outcome = await timed("wait", () => run.wait({ runId }));
  }
  show.calls(run, 0);
  expectValue(checks, "resumed", outcome, {
    name: "Ada",
    slow: "Long running operation completed. Duration: 2 seconds, Steps: 2.",
    euro: 9,
  });
  checks.equal("each host tool was called once", called, ["get_customer", "to_euro"]);
  checks.equal(
    "each nested call was made once",
    run.trajectory().map((call) => call.callableName),
    ["get_customer", "MCP.everything.triggerLongRunningOperation", "to_euro"],
  );
}

async function runCell(
  run: CodeModeRun,
  title: string,
  code: string,
  language?: "typescript",
): Promise<CodeModeResult> {
  show.heading(title);
  show.source(code);
  const from = run.trajectory().length;
  const outcome = await timed("exec", () => run.exec({ code, ...(language && { language }) }));
  show.calls(run, from);
  return outcome;
}

async function timed(label: string, work: () => Promise<CodeModeResult>): Promise<CodeModeResult> {
  const startedAt = performance.now();
  const outcome = await work();
  show.result(label, outcome, performance.now() - startedAt);
  return outcome;
}

function expectValue(checks: Checks, what: string, outcome: CodeModeResult, expected: unknown): void {
  checks.equal(`${what} status`, outcome.status, "completed");
  if (outcome.status === "completed") checks.equal(`${what} value`, outcome.value, expected);
}
