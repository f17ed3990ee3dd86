// Invariant: a server ends when it closes its output, and a server and everything in its process group are gone once `end()` or `ended` has settled.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import type { StdioServerConfig } from "./mcp-config.js";
import type { ProcessGuard } from "./process-guard.js";
import { createTailBuffer } from "./tail-buffer.js";

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One running server. Owned: `end` it. */
export interface ServerProcess {
  readonly processId: number | undefined;
  /** True before `ended` settles: what it wrote last may still have to be read. */
  hasExited(): boolean;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles when the process is gone and its output was read. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Tail of what it wrote to standard error. */
  stderrTail(): string;
  /** Closes its input; sends SIGTERM after the grace and SIGKILL after another. Idempotent. */
  end(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly guard: ProcessGuard;
  readonly closeGraceMs: number;
  readonly maxStderrBytes: number;
}

const IS_WINDOWS = process.platform === "win32";
/** Time for reading what a dead server's pipes still hold, in ms. */
const LAST_OUTPUT_MS = 500;

/** Starts a server. Rejects with Node's own error when that fails. */
export async function startServerProcess(
  config: StdioServerConfig,
  options: ServerProcessOptions,
): Promise<ServerProcess> {
  const child = spawn(config.command, config.args, {
    env: { ...getDefaultEnvironment(), ...config.env },
    stdio: "pipe",
    windowsHide: true,
    // Its own process group, so that helpers it starts (npx, a shell) can be ended with it.
    detached: !IS_WINDOWS,
    ...(config.cwd === undefined ? {} : { cwd: config.cwd }),
  });
  const unwatch = options.guard.watch(() => signalGroup(child, "SIGKILL"));
  const tail = createTailBuffer(options.maxStderrBytes);
  child.stderr.on("data", (chunk: Buffer) => tail.append(chunk));
  // The end of the process tells what matters; a broken pipe alone says nothing.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
  try {
    await once(child, "spawn");
  } catch (error) {
    unwatch();
    throw error;
  }
  // After the start this reports only signals that could not be sent; the process then still counts as running.
  child.on("error", () => {});
  const exited = untilExit(child, unwatch);
  const ended = exited.then(async (end) => {
    await readLastOutput(child);
    return end;
  });
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => (ending ??= endProcess(child, exited, options.closeGraceMs));
  // Nothing it is asked can be answered any more; a process that has just exited may have closed its output first.
  child.stdout.once("end", () => {
    void settlesWithin(exited, LAST_OUTPUT_MS).then((isGone) => (isGone ? undefined : end()));
  });
  return {
    processId: child.pid,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    stderrTail: () => tail.text(),
    end,
  };
}

function untilExit(child: ChildProcess, unwatch: () => void): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      // At once, while the group's number cannot have been given to others.
      signalGroup(child, "SIGKILL");
      unwatch();
      resolve({ code, signal });
    });
  });
}

async function readLastOutput(child: ChildProcess): Promise<void> {
  const { stdout } = child;
  if (stdout !== null && !stdout.readableEnded) {
    const patience = new AbortController();
    await Promise.race([
      once(stdout, "close", { signal: patience.signal }).catch(() => {}),
      delay(LAST_OUTPUT_MS, undefined, { signal: patience.signal }).catch(() => {}),
    ]);
    patience.abort();
  }
  for (const stream of child.stdio) stream?.destroy();
}

async function endProcess(child: ChildProcess, exited: Promise<ProcessEnd>, graceMs: number): Promise<void> {
  child.stdin?.end();
  if (!(await settlesWithin(exited, graceMs))) {
    signalGroup(child, "SIGTERM");
    if (!(await settlesWithin(exited, graceMs))) signalGroup(child, "SIGKILL");
  }
  await exited;
}

async function settlesWithin(promise: Promise<unknown>, patienceMs: number): Promise<boolean> {
  const patience = new AbortController();
  const isLate = delay(patienceMs, false, { signal: patience.signal }).catch(() => false);
  const hasSettled = await Promise.race([promise.then(() => true), isLate]);
  patience.abort();
  return hasSettled;
}

/** On Windows, where there are no process groups, only the process itself. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (IS_WINDOWS) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // Nobody is left to be told.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
