import type { McpConnection, McpFront, McpFrontEvent } from "@codemode/mcp";
import { CodeModeError, type ErrorDetails } from "@codemode/protocol";
import { EXIT_CODES, type ExitCode } from "../exit-codes.js";
import { AS_SERVED, interrupted, tellProblems, withServers, type CommandContext } from "../open-servers.js";
import { invalidArgument } from "../parse-arguments.js";
import type { ProgramIo } from "../program-io.js";
import { readServeArguments, SERVE_OPTIONS, TOKEN_VARIABLE, type ServeArguments } from "../serve-arguments.js";
import { visibleText } from "../terminal-text.js";
import type { Command } from "./command.js";

const NOTES = `  # Your MCP servers, in the file other MCP clients read:
  { "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }

  # In the configuration of an MCP client, in the place of those servers (with full paths: clients start it anywhere):
  { "mcpServers": { "codemode": { "command": "npx", "args": ["-y", "@codemode/cli", "serve", "--mcp", "/path/mcp.json"] } } }

  # The same over HTTP, for many clients at once.
  $ codemode serve --mcp mcp.json --http 3333

  # For other machines: with a token, which clients send as "Authorization: Bearer …".
  $ ${TOKEN_VARIABLE}="$(openssl rand -hex 32)" codemode serve --mcp mcp.json --http 3333 --host 0.0.0.0

What it does:
  The client's model sees two tools. exec runs a small program that calls the tools of all servers as functions; wait
  goes on with a program that takes longer. Each client has a session of its own. Over standard input and output there
  is one client, and its end is the end of the program. codemode surface shows what the model sees.

  Standard error tells who called what, with times and outcomes: no program, input or result is shown.

Exit codes:
  0    the client has gone
  2    the command line, a file or Node's version cannot be used; nothing was served
  3    no MCP server could be used; nothing was served
  5    a fault of codemode itself
  130  interrupted (129 and 143: ended by SIGHUP and SIGTERM)`;

/**
 * Patience with a server behind that was told to end, in ms. An MCP client kills what it started about two seconds
 * after it closed its input, and by then the servers behind have to be gone.
 */
const CLOSE_GRACE_MS = 900;

/** `codemode serve`: code mode as an MCP server in front of the MCP servers of a file. */
export const serveCommand: Command = {
  name: "serve",
  usage: "--mcp <file>",
  summary: "Serve MCP clients exec and wait, in front of the MCP servers of a file",
  options: SERVE_OPTIONS,
  notes: NOTES,
  run(args, io, dependencies) {
    const checked = readServeArguments(args, io.env);
    const { mcpFile, startTimeoutMs, showsLogs } = checked;
    const servers = { mcpFile, startTimeoutMs, showsLogs, closeGraceMs: CLOSE_GRACE_MS, ...AS_SERVED };
    return withServers(servers, { io, dependencies }, (connection, context) => serve(connection, checked, context));
  },
};

async function serve(connection: McpConnection, args: ServeArguments, context: CommandContext): Promise<ExitCode> {
  const { io, dependencies } = context;
  const { servers } = connection;
  if (servers.length === 0) {
    io.stderr.write("codemode: no MCP server could be used; mend them as said above, then serve again.\n");
    return EXIT_CODES.serverLost;
  }
  const { serveMcp } = await dependencies.mcp();
  await using front = await serveMcp({
    connection,
    transport: args.http === undefined ? { type: "stdio" } : { type: "http", ...args.http },
    ...(args.timeoutMs === undefined ? {} : { codeMode: { config: { timeoutMs: args.timeoutMs } } }),
    onEvent: (event) => tell(event, io),
  }).catch((error: unknown) => {
    throw inOwnWords(error);
  });
  tellStart(front, connection, io);
  connection.onChange(({ server }) => {
    io.stderr.write(`codemode: ${visibleText(`MCP server ${JSON.stringify(server)} changed its tools`)}\n`);
    tellProblems(
      connection.problems.filter((problem) => problem.server === server),
      io,
    );
  });
  await untilOver(front, io.interruption);
  return io.interruption.aborted ? interrupted(io, "closing the sessions and the servers") : EXIT_CODES.completed;
}

/** The front's options as this command's. */
const NAMES: Readonly<Record<string, readonly [name: string, advice: string]>> = {
  host: ["--host", `; the token comes from ${TOKEN_VARIABLE}`],
  port: ["--http", ""],
  token: [TOKEN_VARIABLE, ""],
};

function inOwnWords(error: unknown): unknown {
  if (!CodeModeError.isInstance(error) || error.code !== "invalid_argument") return error;
  const { path, problem } = error.details as ErrorDetails["invalid_argument"];
  const [name, advice] = NAMES[path] ?? [path, ""];
  return invalidArgument(name, `${problem}${advice}`);
}

function tellStart({ url }: McpFront, { servers }: McpConnection, io: ProgramIo): void {
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  const what = `${countOf(tools, "tool")} of ${countOf(servers.length, "MCP server")}`;
  io.stderr.write(`codemode: serving ${what} ${url === undefined ? "on standard input" : `at ${url}`}\n`);
  if (url === undefined && io.stdin.isTTY === true) {
    io.stderr.write("codemode: an MCP client starts this command itself; codemode serve --help shows how\n");
  }
}

async function untilOver(front: McpFront, interruption: AbortSignal): Promise<void> {
  const over = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    if (interruption.aborted) resolve();
    else interruption.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
  });
  await Promise.race([front.closed, stopped]);
  over.abort();
}

function tell(event: McpFrontEvent, io: ProgramIo): void {
  io.stderr.write(`codemode: ${visibleText(describe(event))}\n`);
}

function describe(event: McpFrontEvent): string {
  switch (event.type) {
    case "session-open":
      return `session ${event.session} opened`;
    case "session-close":
      return `session ${event.session} closed: ${event.reason}`;
    case "tool-call": {
      const code = event.code === undefined ? "" : ` (${event.code})`;
      return `session ${event.session}: ${event.tool} ${event.status}${code} after ${Math.round(event.durationMs)} ms`;
    }
    case "nested-call":
      return `session ${event.session}: ${event.name} ${event.status} after ${Math.round(event.durationMs)} ms`;
    case "question":
      return `session ${event.session}: ${event.name} asked the client: ${event.answer} after ${Math.round(event.durationMs)} ms`;
    case "refused":
      return `refused: ${event.reason}`;
  }
}

function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}
