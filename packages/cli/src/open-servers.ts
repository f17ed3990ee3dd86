import type { McpConfig, McpConnection, McpLogEntry, McpReconnectEvent } from "@codemode/mcp";
import type { Dependencies } from "./dependencies.js";
import { SIGNAL_EXIT_CODES, type ExitCode } from "./exit-codes.js";
import { invalidArgument } from "./parse-arguments.js";
import type { Interruption, ProgramIo } from "./program-io.js";
import { createProgress, type Progress } from "./progress.js";
import type { ServerArguments } from "./server-arguments.js";
import { colorsFor, visibleText } from "./terminal-text.js";

/** What a command works with. */
export interface CommandContext {
  readonly io: ProgramIo;
  readonly dependencies: Dependencies;
  readonly progress: Progress;
}

/** How servers are connected. */
export interface ServerSettings {
  /** For each MCP server, in ms. */
  readonly startTimeoutMs: number;
  /** Patience with a server that was told to end, and again after SIGTERM, in ms. Default: that of `@codemode/mcp`. */
  readonly closeGraceMs?: number;
  /** Whether they may ask a person. Default false. */
  readonly elicitation?: boolean;
  /** Whether what they log is shown. Default false. */
  readonly showsLogs?: boolean;
}

/** How `codemode serve` connects them: a client can be asked, and some servers offer more tools then. */
export const AS_SERVED: Pick<ServerSettings, "elicitation"> = { elicitation: true };

/** Starts the servers of a configuration. Owned by the caller. */
export async function startServers(
  config: McpConfig,
  { io, dependencies, progress }: CommandContext,
  { showsLogs = false, ...settings }: ServerSettings,
): Promise<McpConnection> {
  const count = Object.keys(config.mcpServers).length;
  progress.show(count === 1 ? "starting 1 MCP server" : `starting ${count} MCP servers`);
  const { connectMcpServers } = await dependencies.mcp();
  return connectMcpServers(config, {
    ...settings,
    signal: io.interruption,
    ...(showsLogs ? { onLog: (entry) => progress.interrupt(() => tellLog(entry, io)) } : {}),
    onReconnect: (event) => progress.interrupt(() => tellReconnect(event, io)),
  });
}

/** Not in the server's own words: they may hold what it was given. */
function tellReconnect({ server, reason }: McpReconnectEvent, io: ProgramIo): void {
  tellProblems([{ server, problem: `${reason}; it was connected again, and what it held is lost` }], io);
}

function tellLog({ server, level, logger, text }: McpLogEntry, io: ProgramIo): void {
  const source = logger === undefined ? "" : ` (${logger})`;
  const line = `MCP server ${JSON.stringify(server)} logs ${level}${source}: ${text}`;
  io.stderr.write(`${colorsFor(io.stderr, io.env).dim("codemode:")} ${visibleText(line)}\n`);
}

interface Problem {
  readonly server: string;
  readonly tool?: string;
  readonly problem: string;
}

/** Problems of one server that are told one by one: it may list thousands of bad tools, again and again. */
const MAX_TOLD = 20;

/** One line for each on standard error, and one for those of a server that are too many. */
export function tellProblems(problems: readonly Problem[], io: ProgramIo): void {
  const label = colorsFor(io.stderr, io.env).yellow("codemode:");
  const found = new Map<string, number>();
  for (const { server, tool, problem } of problems) {
    const told = found.get(server) ?? 0;
    found.set(server, told + 1);
    if (told >= MAX_TOLD) continue;
    const subject = `MCP server ${JSON.stringify(server)}${tool === undefined ? "" : `, tool ${JSON.stringify(tool)}`}`;
    io.stderr.write(`${label} ${visibleText(`${subject}: ${problem}`)}.\n`);
  }
  for (const [server, count] of found) {
    if (count <= MAX_TOLD) continue;
    io.stderr.write(`${label} MCP server ${visibleText(JSON.stringify(server))}: ${count - MAX_TOLD} more problems.\n`);
  }
}

/** Says why the program ends early, and gives its exit code. */
export function interrupted(io: ProgramIo, what: string): ExitCode {
  const { signal } = io.interruption.reason as Interruption;
  io.stderr.write(`codemode: ended by ${signal}; ${what}.\n`);
  return SIGNAL_EXIT_CODES[signal];
}

/**
 * Runs a command on the servers of its file, which are closed when it is done. Problems of servers are told; an
 * interruption becomes its exit code.
 *
 * @throws {CodeModeError} `invalid_argument` for a file that cannot be used or names no server.
 */
export async function withServers(
  { mcpFile, ...settings }: Pick<ServerArguments, "mcpFile"> & ServerSettings,
  { io, dependencies }: Pick<CommandContext, "io" | "dependencies">,
  work: (connection: McpConnection, context: CommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const progress = createProgress(io);
  try {
    const { readMcpConfig } = await dependencies.mcp();
    const config = await readMcpConfig(mcpFile);
    if (Object.keys(config.mcpServers).length === 0) {
      throw invalidArgument(
        "--mcp",
        `names ${JSON.stringify(mcpFile)}, which holds no server that is not disabled; add one to "mcpServers"`,
      );
    }
    const context = { io, dependencies, progress };
    await using connection = await startServers(config, context, settings);
    progress.clear();
    tellProblems(connection.problems, io);
    return await work(connection, context);
  } catch (error) {
    if (!io.interruption.aborted) throw error;
    progress.clear();
    return interrupted(io, "closing the servers");
  } finally {
    progress.clear();
  }
}
