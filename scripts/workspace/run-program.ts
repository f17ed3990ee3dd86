import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { repositoryRoot } from "./source-tree.js";

/** How a program ended. `text` is its standard output and standard error as they came. */
export interface ProgramOutcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly text: string;
}

/**
 * Runs a program to its end, without standard input. Tools of the workspace are found by name.
 *
 * `cwd` defaults to the repository. Rejects when the program cannot be started.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string = repositoryRoot,
): Promise<ProgramOutcome> {
  const path = join(repositoryRoot, "node_modules", ".bin") + delimiter + (process.env["PATH"] ?? "");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, PATH: path, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, text: Buffer.concat(chunks).toString() });
    });
  });
}

/** The same, where any other end than exit code 0 is an error that carries what the program printed. */
export async function runOrThrow(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const { code, text } = await runProgram(program, args, cwd);
  if (code !== 0) throw new Error(`${[program, ...args].join(" ")} ended with ${code ?? "a signal"}:\n${text}`);
  return text;
}
