import type { McpConfig, McpConnection } from "@codemode/mcp";
import type { Dependencies } from "../dependencies.js";
import { EXIT_CODE_HELP, EXIT_CODES, type ExitCode } from "../exit-codes.js";
import { interrupted, startServers, tellProblems, type CommandContext } from "../open-servers.js";
import type { ProgramIo } from "../program-io.js";
import { createProgress, describeCalls } from "../progress.js";
import { readSource } from "../read-source.js";
import { renderOutput, renderReport } from "../render-result.js";
import { readRunArguments, RUN_OPTIONS, type RunArguments } from "../run-arguments.js";
import { runCell, type CellOutcome } from "../run-cell.js";
import { colorsFor, visibleText } from "../terminal-text.js";
import type { Command } from "./command.js";

/** Longest single exec or wait the configuration allows, in ms. */
const MAX_STEP_MS = 60_000;
/** What a cell receives of one tool's result, in bytes. */
const MAX_TOOL_RESULT_BYTES = 4 * 1024 * 1024;

const NOTES = `  # A cell is the body of an async function; what it returns is printed.
  $ echo 'return 6 * 7' | codemode run

  # The tools of every server in mcp.json are functions: MCP.<server>.<tool>(oneObject).
  $ codemode run report.js --mcp mcp.json

  # Two calls side by side, and only what you need of their results.
  $ codemode run - --mcp mcp.json <<'CELL'
  const [a, b] = await Promise.all(["a.txt", "b.txt"].map((path) => MCP.files.readTextFile({ path })));
  text(await API.read("mcp/files.d.ts"));
  return { a: a.content[0].text.length, b: b.content[0].text.length };
  CELL

  # TypeScript, and the result as JSON for another program.
  $ codemode run report.ts --mcp mcp.json --json | jq .value

  # mcp.json is the file other MCP clients read:
  { "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }

Exit codes:
${EXIT_CODE_HELP}`;

/** `codemode run`: runs one cell against the MCP servers of a file. */
export const runCommand: Command = {
  name: "run",
  usage: "[file|-]",
  summary: "Run a JavaScript or TypeScript cell; without a file, or with -, from standard input",
  options: RUN_OPTIONS,
  notes: NOTES,
  run: (args, io, dependencies) => run(readRunArguments(args), io, dependencies),
};

async function run(args: RunArguments, io: ProgramIo, dependencies: Dependencies): Promise<ExitCode> {
  let source: string;
  try {
    source = await readSource(args, io);
  } catch (error) {
    if (!io.interruption.aborted) throw error;
    return interrupted(io, "nothing was run");
  }
  const progress = createProgress(io);
  try {
    return await runSource(source, { args, io, progress, dependencies });
  } catch (error) {
    if (!io.interruption.aborted) throw error;
    progress.clear();
    return interrupted(io, CLOSING);
  } finally {
    progress.clear();
  }
}

interface RunContext extends CommandContext {
  readonly args: RunArguments;
}

async function runSource(source: string, context: RunContext): Promise<ExitCode> {
  const { args, io, progress, dependencies } = context;
  const config = await readConfig(context);
  const { createCodeMode } = await dependencies.core();
  await using codeMode = createCodeMode({ config: limitsFor(args), onEvent: describeCalls(progress) });
  // Only a head start while the servers start; a failure shows again in the cell's result.
  codeMode.prewarm({ typescript: args.language === "typescript" }).catch(() => {});
  await using connection = await connect(config, context);
  progress.clear();
  tellProblems(connection.problems, io);
  progress.show("running");
  const startedAt = io.now();
  const { servers } = connection;
  const outcome = await runCell(codeMode, { source, servers, ...args, signal: io.interruption });
  progress.clear();
  if (io.interruption.aborted) return interrupted(io, CLOSING);
  tellProblems(outcome.mcpProblems, io);
  print(outcome, { args, io, elapsedMs: io.now() - startedAt });
  return exitCodeOf(outcome, connection);
}

/** A single exec or wait lasts as long as it may; the program's own limit is for all of them. */
function limitsFor({ timeoutMs }: RunArguments): { timeoutMs: number; maxToolResultBytes: number } {
  return { timeoutMs: Math.min(timeoutMs, MAX_STEP_MS), maxToolResultBytes: MAX_TOOL_RESULT_BYTES };
}

async function readConfig({ args, dependencies }: RunContext): Promise<McpConfig | undefined> {
  if (args.mcpFile === undefined) return undefined;
  const { readMcpConfig } = await dependencies.mcp();
  return readMcpConfig(args.mcpFile);
}

type Servers = Pick<McpConnection, "servers" | "problems"> & AsyncDisposable;
const NO_SERVERS: Servers = { servers: [], problems: [], [Symbol.asyncDispose]: async () => {} };

async function connect(config: McpConfig | undefined, context: RunContext): Promise<Servers> {
  if (config === undefined) return NO_SERVERS;
  const { startTimeoutMs, showsLogs } = context.args;
  return startServers(config, context, { startTimeoutMs, showsLogs });
}

function print(
  outcome: CellOutcome,
  { args, io, elapsedMs }: { args: RunArguments; io: ProgramIo; elapsedMs: number },
): void {
  const { result, calls, isOutOfTime } = outcome;
  if (args.isJson) io.stdout.write(`${JSON.stringify(result)}\n`);
  else {
    const output = renderOutput(result);
    io.stdout.write(io.stdout.isTTY === true ? visibleText(output) : output);
    io.stderr.write(renderReport({ result, calls, elapsedMs, colors: colorsFor(io.stderr, io.env) }));
  }
  if (isOutOfTime) {
    io.stderr.write(`codemode: the time limit of ${args.timeoutMs} ms has passed; allow more with --timeout.\n`);
  }
}

function exitCodeOf({ result, isOutOfTime }: CellOutcome, { problems }: Servers): ExitCode {
  if (isOutOfTime) return EXIT_CODES.outOfTime;
  if (result.status !== "completed") return EXIT_CODES.cellFailed;
  return problems.some((problem) => problem.isServerLost) ? EXIT_CODES.serverLost : EXIT_CODES.completed;
}

const CLOSING = "closing the cell and its servers";
