import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url));

export const exec = (code: string) => ({ name: "exec", arguments: { code } });

/** The result a cell came to, as the model reads it. */
export function resultOf(answer: unknown): Record<string, unknown> {
  const [block] = (answer as { readonly content: readonly { readonly type: string; readonly text?: string }[] })
    .content;
  if (block?.text === undefined) throw new Error(`No text: ${JSON.stringify(answer)}`);
  return JSON.parse(block.text) as Record<string, unknown>;
}

/** Whether a process ends within a few seconds. */
export async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    if (stat === undefined || /\) Z /.test(stat)) return true;
    await delay(20);
  }
  return false;
}

const fronts: ChildProcess[] = [];

/** So that a test that fails half way leaves no front behind. */
export function killFronts(): void {
  for (const front of fronts.splice(0)) front.kill("SIGKILL");
}

export interface HttpFront {
  readonly url: URL;
  log(): string;
  out(): string;
  /** By SIGTERM; gives code and signal. */
  end(): Promise<unknown>;
}

/** `codemode serve --http` of an `mcpServers` file, once it listens. */
export async function openHttpFront(file: string, env: Record<string, string> = {}): Promise<HttpFront> {
  const child = spawn(process.execPath, [bin, "serve", "--mcp", file, "--http", "0"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  fronts.push(child);
  let log = "";
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  await expect.poll(() => log, { timeout: 15_000 }).toMatch(/ at http:\S+\n/);
  return {
    url: new URL(/http:\S+/.exec(log)?.[0] ?? ""),
    log: () => log,
    out: () => out,
    async end() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      return ended;
    },
  };
}
