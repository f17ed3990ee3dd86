import { readFile } from "node:fs/promises";
import { cac } from "cac";
import { CodeModeError } from "@codemode/protocol";
import type { Command } from "./commands/command.js";
import { runCommand } from "./commands/run.js";
import type { Dependencies } from "./dependencies.js";
import { EXIT_CODES, type ExitCode } from "./exit-codes.js";
import type { ProgramIo } from "./program-io.js";
import { shieldStdinArgument } from "./stdin-argument.js";

const COMMANDS: readonly Command[] = [runCommand];

/**
 * The program, from its arguments (without node and script) to its exit code. Never rejects: what went wrong is told on
 * standard error.
 */
export async function main(args: readonly string[], io: ProgramIo, dependencies: Dependencies): Promise<ExitCode> {
  const cli = cac("codemode");
  for (const command of COMMANDS) command.register(cli, io, dependencies);
  cli.help();
  cli.version(await ownVersion());
  try {
    cli.parse(["node", "codemode", ...shieldStdinArgument(args)], { run: false });
    if (cli.options["help"] === true || cli.options["version"] === true) return EXIT_CODES.completed;
    if (cli.matchedCommand === undefined) throw unknownCommand(cli.args[0]);
    return await (cli.runMatchedCommand() as Promise<ExitCode>);
  } catch (error) {
    return explain(error, cli.matchedCommand?.name, io);
  }
}

function unknownCommand(name: string | undefined): CodeModeError {
  const problem = name === undefined ? "a command is missing" : `there is no command ${JSON.stringify(name)}`;
  return new CodeModeError("invalid_argument", `${problem}.`, { path: "command", problem });
}

function explain(error: unknown, command: string | undefined, io: ProgramIo): ExitCode {
  const isUsage = error instanceof Error && error.name === "CACError";
  if (isUsage || (CodeModeError.isInstance(error) && error.code === "invalid_argument")) {
    const help =
      isUsage || command === undefined ? ` See codemode ${command === undefined ? "" : `${command} `}--help.` : "";
    io.stderr.write(`codemode: ${error.message.replace(/\.?$/, ".")}${help}\n`);
    return EXIT_CODES.badInput;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`codemode: this is a fault of codemode itself; please report it.\n${text}\n`);
  return EXIT_CODES.fault;
}

async function ownVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
