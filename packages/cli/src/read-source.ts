import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CodeModeError } from "@codemode/protocol";
import type { ProgramIo } from "./program-io.js";
import type { RunArguments } from "./run-arguments.js";

/** The text of the cell. @throws {CodeModeError} `invalid_argument` when there is none. */
export async function readSource(args: RunArguments, io: ProgramIo): Promise<string> {
  if (args.file !== undefined) return notEmpty(args.file, await readSourceFile(args.file));
  if (io.stdin.isTTY === true && !args.isStdinNamed) {
    throw noSource("there is no source; name a file, or pipe the program in");
  }
  return notEmpty("standard input", await text(io.stdin));
}

const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "was not found; check the path",
  EISDIR: "is a folder; name a file in it",
  EACCES: "may not be read; check its permissions",
};

async function readSourceFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw noSource(
      `${path} ${READ_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ""] ?? "could not be read"}`,
      error,
    );
  }
}

function notEmpty(origin: string, source: string): string {
  if (source.trim() === "") throw noSource(`${origin} is empty; write the program there`);
  return source;
}

function noSource(problem: string, cause?: unknown): CodeModeError {
  return new CodeModeError("invalid_argument", `${problem}.`, { path: "file", problem }, { cause });
}
