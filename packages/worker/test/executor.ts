import { afterAll } from "vitest";
import type {
  BridgeReply,
  CellLanguage,
  CellSession,
  CellSessionOptions,
  CellStart,
  CellStep,
  CodeModeEvent,
  GuestSurface,
} from "@codemode/protocol";
import { createSupervisor, type Supervisor, type SupervisorOptions } from "@codemode/supervisor";
import { workerUrl } from "../src/index.js";

export const AMPLE_MS = 15_000;

export const OPTIONS: CellSessionOptions = {
  limits: {
    memoryLimitBytes: 64 * 1024 * 1024,
    maxOutputBytes: 64 * 1024,
    maxSnapshotBytes: 10 * 1024 * 1024,
    maxSourceBytes: 256 * 1024,
  },
  watchdogGraceMs: 500,
};

/** One tool, `echo`. */
export const SURFACE: GuestSurface = {
  fingerprint: "echo",
  tools: [
    {
      binding: 0,
      callableName: "echo",
      toolName: "echo",
      description: "Gives its input back.",
      source: "host",
      isGlobal: true,
    },
  ],
  mcp: [],
  apiFiles: [],
};

const open: Supervisor[] = [];
afterAll(async () => {
  await Promise.all(open.splice(0).map((executor) => executor.close()));
});

/** Real workers, one unless told otherwise; closed after the last test of the file. */
export function createExecutor(options: Partial<SupervisorOptions> = {}): {
  executor: Supervisor;
  events: CodeModeEvent[];
} {
  const events: CodeModeEvent[] = [];
  const executor = createSupervisor({ workerUrl, maxWorkers: 1, onEvent: (event) => events.push(event), ...options });
  open.push(executor);
  return { executor, events };
}

export function sourceStart(source: string, language: CellLanguage = "javascript"): CellStart {
  return { type: "source", source, language, surface: SURFACE };
}

/** Runs a cell to its end; `echo` gives its input back. */
export async function runCell(
  executor: Supervisor,
  source: string,
  options: { language?: CellLanguage; remainingMs?: number; session?: Partial<CellSessionOptions> } = {},
): Promise<CellStep> {
  const session = executor.openSession({ ...OPTIONS, ...options.session });
  const remainingMs = options.remainingMs ?? AMPLE_MS;
  let step = await session.start(sourceStart(source, options.language), remainingMs);
  while (step.type === "boundary") step = await session.deliver({ replies: repliesTo(step) }, remainingMs);
  return step;
}

/** A cell that waits for its first call. */
export async function openAtBoundary(executor: Supervisor, source: string): Promise<[CellSession, CellStep]> {
  const session = executor.openSession(OPTIONS);
  const step = await session.start(sourceStart(source), AMPLE_MS);
  if (step.type !== "boundary") throw new Error(`expected a boundary, got ${JSON.stringify(step)}`);
  return [session, step];
}

export function repliesTo(step: CellStep): BridgeReply[] {
  if (step.type !== "boundary") return [];
  return step.requests.map((request) => ({
    id: request.id,
    ok: true,
    value: request.method === "call" ? request.input : "null",
  }));
}

/** The value of a cell that completed. */
export function valueOf(step: CellStep): unknown {
  if (step.type !== "completed") throw new Error(`expected a value, got ${JSON.stringify(step)}`);
  return JSON.parse(step.value.text) as unknown;
}

/** The failure of a cell that failed. */
export function failureOf(step: CellStep): object {
  if (step.type !== "failed") throw new Error(`expected a failure, got ${JSON.stringify(step)}`);
  return step.failure;
}
