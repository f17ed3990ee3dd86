import { readFile } from "node:fs/promises";
import { CodeModeError } from "@codemode/protocol";
import type { Command } from "./commands/command.js";
import { runCommand } from "./commands/run.js";
import { serveCommand } from "./commands/serve.js";
import { surfaceCommand } from "./commands/surface.js";
import { typesCommand } from "./commands/types.js";
import type { Dependencies } from "./dependencies.js";
import { EXIT_CODES, type ExitCode } from "./exit-codes.js";
import { parseArguments } from "./parse-arguments.js";
import type { ProgramIo } from "./program-io.js";
import { GLOBAL_OPTIONS, renderCommandHelp, renderProgramHelp } from "./render-help.js";
import { visibleText } from "./terminal-text.js";

const COMMANDS: readonly Command[] = [runCommand, serveCommand, surfaceCommand, typesCommand];

/**
 * The program, from its arguments (without node and script) to its exit code. Never rejects: what went wrong is told on
 * standard error.
 */
export async function main(args: readonly string[], io: ProgramIo, dependencies: Dependencies): Promise<ExitCode> {
  try {
    return await runArguments(args, io, dependencies);
  } catch (error) {
    return explain(error, io);
  }
}

/** The command is the first argument that is no option. Before it, and behind it, `--version` and `--help` win. */
async function runArguments(args: readonly string[], io: ProgramIo, dependencies: Dependencies): Promise<ExitCode> {
  const place = args.findIndex((argument) => argument === "-" || !argument.startsWith("-"));
  const name = place < 0 ? undefined : args[place];
  const { flags } = parseArguments(place < 0 ? args : args.slice(0, place), GLOBAL_OPTIONS, "codemode");
  const command = COMMANDS.find((one) => one.name === name);
  const help = command === undefined ? renderProgramHelp(COMMANDS) : renderCommandHelp(command);
  const isAnswered = await answerGlobal(flags, help, io);
  if (isAnswered) return EXIT_CODES.completed;
  if (command === undefined) throw unknownCommand(name);
  const options = { ...command.options, ...GLOBAL_OPTIONS };
  const parsed = parseArguments(args.slice(place + 1), options, `codemode ${command.name}`);
  if (await answerGlobal(parsed.flags, help, io)) return EXIT_CODES.completed;
  return command.run(parsed, io, dependencies);
}

async function answerGlobal(flags: ReadonlySet<string>, help: string, io: ProgramIo): Promise<boolean> {
  if (flags.has("version")) io.stdout.write(`${await describeVersion()}\n`);
  else if (flags.has("help")) io.stdout.write(help);
  else return false;
  return true;
}

function unknownCommand(name: string | undefined): CodeModeError {
  const what = name === undefined ? "a command is missing" : `there is no command ${JSON.stringify(name)}`;
  const problem = `${what}; see codemode --help`;
  return new CodeModeError("invalid_argument", `${problem}.`, { path: "command", problem });
}

function explain(error: unknown, io: ProgramIo): ExitCode {
  if (CodeModeError.isInstance(error) && error.code === "invalid_argument") {
    io.stderr.write(`codemode: ${visibleText(error.message)}\n`);
    return EXIT_CODES.badInput;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`codemode: this is a fault of codemode itself; please report it.\n${visibleText(text)}\n`);
  return EXIT_CODES.fault;
}

async function describeVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return `codemode/${manifest.version} ${process.platform}-${process.arch} node-${process.version}`;
}
