import { spawn, type ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url));
export const serverFixture = fileURLToPath(new URL("./fixtures/server.mjs", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SpawnOptions {
  readonly input?: string;
  readonly nodeArgs?: readonly string[];
  /** Called with the running process. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the built program with the given arguments to its end. */
export async function codemode(args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), bin, ...args], { stdio: "pipe" });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  options.onStart?.(child);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}
