import { spawn, type ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url));
export const serverFixture = fileURLToPath(new URL("./fixtures/server.mjs", import.meta.url));

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SpawnOptions {
  readonly input?: string;
  /** Leaves standard input open after `input`. */
  readonly isInputOpen?: boolean;
  /** A file descriptor to write to; `out` is empty then. */
  readonly stdout?: number;
  readonly nodeArgs?: readonly string[];
  /** Called with the running process. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the built program with the given arguments to its end. */
export async function codemode(args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  const { input = "", isInputOpen = false, nodeArgs = [], stdout = "pipe", onStart } = options;
  const child = spawn(process.execPath, [...nodeArgs, bin, ...args], { stdio: ["pipe", stdout, "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const { stdin, stderr } = child;
  if (stdin === null || stderr === null) throw new Error("The program has no standard input or error.");
  stdin.on("error", () => {});
  if (isInputOpen) stdin.write(input);
  else stdin.end(input);
  onStart?.(child);
  const [out, err, code] = await Promise.all([child.stdout === null ? "" : text(child.stdout), text(stderr), ended]);
  return { code, out, err };
}
