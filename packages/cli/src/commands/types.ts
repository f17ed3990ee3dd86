import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { McpConnection } from "@codemode/mcp";
import { describeValue, type ApiFile } from "@codemode/protocol";
import { EXIT_CODES, SHOWN_EXIT_CODE_HELP, type ExitCode } from "../exit-codes.js";
import { AS_SERVED, tellProblems, withServers, type CommandContext } from "../open-servers.js";
import { invalidArgument, type OptionTable, type ParsedArguments } from "../parse-arguments.js";
import { readServerArguments, SERVER_OPTIONS } from "../server-arguments.js";
import { visibleText } from "../terminal-text.js";
import type { Command } from "./command.js";

const OPTIONS: OptionTable = {
  ...SERVER_OPTIONS,
  server: { value: "name", description: "Only this server, by its name in the file" },
  out: { value: "folder", description: "Write the files there instead of printing them" },
};

const NOTES = `  # The TypeScript declarations a cell reads with API.read("mcp/<server>.d.ts").
  $ codemode types --mcp mcp.json

  # One server's, and as files in a folder.
  $ codemode types --mcp mcp.json --server files
  $ codemode types --mcp mcp.json --out types

The servers are started and listed; none of their tools is called. Names and descriptions in the files are the servers'.

Exit codes:
${SHOWN_EXIT_CODE_HELP}`;

/** `codemode types`: the declarations of the servers of a file. */
export const typesCommand: Command = {
  name: "types",
  usage: "--mcp <file>",
  summary: "Print the TypeScript declarations of the servers' tools, as cells read them",
  options: OPTIONS,
  notes: NOTES,
  run(args, io, dependencies) {
    const checked = readServerArguments(args, "codemode types");
    return withServers({ ...checked, ...AS_SERVED }, { io, dependencies }, (connection, context) =>
      showTypes(connection, args.values, context),
    );
  },
};

async function showTypes(
  { servers, problems }: McpConnection,
  values: ParsedArguments["values"],
  { io, dependencies }: CommandContext,
): Promise<ExitCode> {
  const { renderMcpDeclarations } = await dependencies.declarations();
  const declarations = renderMcpDeclarations(servers);
  const only = values.get("server");
  const plan = declarations.namespaces.find(({ server }) => server === only);
  if (only !== undefined && plan === undefined) throw unknownServer(only, servers);
  tellProblems(declarations.problems, io);
  const files = declarations.files.filter(({ path }) => plan === undefined || path === `mcp/${plan.name}.d.ts`);
  const folder = values.get("out");
  if (folder !== undefined) await writeFiles(files, folder, io);
  else {
    const text = files.map(({ content }) => content).join("\n");
    io.stdout.write(io.stdout.isTTY === true ? visibleText(text) : text);
  }
  return problems.some((problem) => problem.isServerLost) ? EXIT_CODES.serverLost : EXIT_CODES.completed;
}

function unknownServer(name: string, servers: McpConnection["servers"]): Error {
  const names = servers.map((server) => describeValue(server.name)).join(", ");
  const known = names === "" ? "no server could be used" : `there are ${names}`;
  return invalidArgument("--server", `names no usable server: ${describeValue(name)}; ${known}`);
}

/** Paths of files are made of identifiers, so they stay below the folder. */
async function writeFiles(files: readonly ApiFile[], folder: string, io: CommandContext["io"]): Promise<void> {
  if (folder === "") throw invalidArgument("--out", "needs the path of a folder");
  for (const { path, content } of files) {
    const target = join(folder, path);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    } catch (error) {
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      throw invalidArgument("--out", `${describeValue(target)} could not be written (${code}); choose another folder`);
    }
    io.stderr.write(`codemode: wrote ${visibleText(target)}\n`);
  }
}
