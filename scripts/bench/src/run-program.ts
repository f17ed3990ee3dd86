import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { builtUrl } from "./built-url.js";

const execFileAsync = promisify(execFile);

/** Runs a program of this package in a process of its own and gives the JSON it prints. @throws {Error} when it fails. */
export async function runProgram(name: string, args: readonly string[] = []): Promise<unknown> {
  const { stdout } = await execFileAsync(process.execPath, ["--expose-gc", fileURLToPath(builtUrl(name)), ...args]);
  return JSON.parse(stdout);
}
