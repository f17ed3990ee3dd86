import { readFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { CodeModeError } from "@codemode/protocol";
import type { ProgramIo } from "./program-io.js";
import type { RunArguments } from "./run-arguments.js";

/**
 * The text of the cell.
 *
 * @throws {CodeModeError} `invalid_argument` when there is none. Anything once the interruption has aborted: a read that
 *   is under way is given up at once.
 */
export async function readSource(args: RunArguments, io: ProgramIo): Promise<string> {
  if (args.file !== undefined) return notEmpty(args.file, await readSourceFile(args.file, io.interruption));
  if (io.stdin.isTTY === true && !args.isStdinNamed) {
    throw noSource("there is no source; name a file, or pipe the program in");
  }
  return notEmpty("standard input", await text(addAbortSignal(io.interruption, io.stdin)));
}

const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "was not found; check the path",
  EISDIR: "is a folder; name a file in it",
  EACCES: "may not be read; check its permissions",
};

async function readSourceFile(path: string, interruption: AbortSignal): Promise<string> {
  const settled = new AbortController();
  try {
    // A pipe that nobody writes to keeps `readFile` from looking at its signal.
    return await Promise.race([
      readFile(path, { encoding: "utf8", signal: interruption }),
      untilAborted(interruption, settled.signal),
    ]);
  } catch (error) {
    interruption.throwIfAborted();
    throw noSource(
      `${path} ${READ_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ""] ?? "could not be read"}`,
      error,
    );
  } finally {
    settled.abort();
  }
}

/** Rejects with the reason of `signal`. Listens until `over` aborts. */
function untilAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true, signal: over });
  });
}

function notEmpty(origin: string, source: string): string {
  if (source.trim() === "") throw noSource(`${origin} is empty; write the program there`);
  return source;
}

function noSource(problem: string, cause?: unknown): CodeModeError {
  return new CodeModeError("invalid_argument", `${problem}.`, { path: "file", problem }, { cause });
}
