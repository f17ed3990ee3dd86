import { setEnvironmentData } from "node:worker_threads";
import { afterEach } from "vitest";
import type {
  CellSession,
  CellSessionOptions,
  CellStart,
  CellStep,
  CodeModeEvent,
  GuestSurface,
} from "@codemode/protocol";
import { createSupervisor, type Supervisor, type SupervisorOptions } from "../src/index.js";

export const WORKER = fixture("scripted-worker.mjs");

export const OPTIONS: CellSessionOptions = {
  limits: {
    memoryLimitBytes: 1024 * 1024,
    maxOutputBytes: 64 * 1024,
    maxSnapshotBytes: 1024 * 1024,
    maxSourceBytes: 64 * 1024,
  },
  watchdogGraceMs: 100,
};

export const NO_OUTPUT = { items: [], omittedItems: 0, omittedBytes: 0 };

/** Far more than any step takes; a step that hits it fails its test. */
export const AMPLE_MS = 15_000;

export function fixture(name: string): URL {
  return new URL(`./fixtures/${name}`, import.meta.url);
}

const open: Supervisor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((supervisor) => supervisor.close()));
});

/** A pool of one scripted worker, closed after the test, with the events it told. */
export function createPool(options: Partial<SupervisorOptions> = {}): { pool: Supervisor; events: CodeModeEvent[] } {
  const events: CodeModeEvent[] = [];
  const pool = createSupervisor({
    workerUrl: WORKER,
    maxWorkers: 1,
    onEvent: (event) => events.push(event),
    ...options,
  });
  open.push(pool);
  return { pool, events };
}

export function script(source: string, surface: Partial<GuestSurface> = {}): CellStart {
  const language = source.startsWith("compile") ? "typescript" : "javascript";
  return {
    type: "source",
    source,
    language,
    surface: { fingerprint: "", tools: [], mcp: [], apiFiles: [], ...surface },
  };
}

/** Runs one cell from start to its first step. */
export function runCell(pool: Supervisor, source: string, remainingMs = AMPLE_MS): Promise<CellStep> {
  return pool.openSession(OPTIONS).start(script(source), remainingMs);
}

/** A session whose cell waits at a boundary; what comes next is the rest of its script. */
export async function openAtBoundary(pool: Supervisor, rest: string): Promise<CellSession> {
  const session = pool.openSession(OPTIONS);
  const step = await session.start(script(`then ${rest}`), AMPLE_MS);
  if (step.type !== "boundary") throw new Error(`expected a boundary, got ${JSON.stringify(step)}`);
  return session;
}

export function completed(text: string): CellStep {
  return { type: "completed", value: { text, bytes: text.length, isComplete: true }, output: NO_OUTPUT, guestMs: 1 };
}

export function failed(message: string, code: string, phase: string): object {
  return { type: "failed", failure: { message, code, phase }, output: NO_OUTPUT, guestMs: 0 };
}

export const ABORTED = failed("AbortError: the cell was aborted.", "aborted", "host");
export const WORKER_LOST = failed(
  "WorkerError: the worker thread ended before the cell did.",
  "runtime_unavailable",
  "host",
);
export const OVERRUN = failed(
  "TimeoutError: the cell did not stop at its deadline, so its worker was ended.",
  "timeout",
  "guest",
);

/** What the `count` script of workers that start from now on counts up. */
export function shareCounter(): Int32Array {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  setEnvironmentData("counter", counter.buffer);
  return counter;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function until(isTrue: () => boolean): Promise<void> {
  const endsAt = performance.now() + AMPLE_MS;
  while (!isTrue()) {
    if (performance.now() > endsAt) throw new Error("it did not come about");
    await sleep(5);
  }
}
