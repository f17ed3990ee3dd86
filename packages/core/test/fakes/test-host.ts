import { resolveConfig, type CodeModeConfigInput } from "@codemode/config";
import type { CodeModeEvent, SnapshotStore, ToolDescriptor, ToolOutcome } from "@codemode/protocol";
import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createRedactor, loadTracing, type RedactionOptions, type Tracer } from "@codemode/telemetry";
import { createAbortRelay } from "../../src/abort-relay.js";
import { createDebugView } from "../../src/debug-view.js";
import { createHost } from "../../src/create-code-mode.js";
import type { CodeMode, CodeModeRun, RunOptions } from "../../src/options.js";
import { createParkingMemory, type ParkingMemory } from "../../src/parking-memory.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";
import { createFakeExecutor, type FakeExecutor } from "./fake-executor.js";
import type { FakeProgram } from "./fake-guest.js";

export interface TestHostOptions {
  readonly programs?: Readonly<Record<string, FakeProgram>>;
  readonly config?: CodeModeConfigInput;
  readonly maxSuspended?: number;
  /** Default 1 MiB. */
  readonly maxParkingMemoryBytes?: number;
  /** Methods of the store that behave otherwise; they are given the store itself. */
  readonly store?: (memory: SnapshotStore) => Partial<SnapshotStore>;
  /** Called as the host's observer is. */
  readonly onEvent?: (event: CodeModeEvent) => void;
  readonly redaction?: RedactionOptions;
  readonly tracer?: Tracer;
  /** What `CODEMODE_DEBUG` would be. */
  readonly debug?: string;
  readonly run?: Partial<RunOptions>;
}

export interface TestHost {
  readonly host: CodeMode;
  readonly run: CodeModeRun;
  readonly clock: FakeClock;
  readonly executor: FakeExecutor;
  readonly parkingMemory: ParkingMemory;
  readonly events: CodeModeEvent[];
  readonly faults: unknown[];
  /** Lines of the debug view. */
  readonly debugLines: string[];
}

/** The real core over a fake executor and a fake clock. Ids are `id-1`, `id-2`, … */
export function createTestHost({
  programs = {},
  config = {},
  maxSuspended = 64,
  maxParkingMemoryBytes = 1024 * 1024,
  store = () => ({}),
  onEvent = () => {},
  redaction = {},
  tracer,
  debug: wanted,
  run = {},
}: TestHostOptions): TestHost {
  const clock = createFakeClock();
  const executor = createFakeExecutor(programs, clock);
  const parkingMemory = createParkingMemory(maxParkingMemoryBytes);
  const events: CodeModeEvent[] = [];
  const faults: unknown[] = [];
  const debugLines: string[] = [];
  const redactor = createRedactor(redaction);
  const debug = createDebugView({ wanted, redactor, write: (line) => void debugLines.push(line) });
  let ids = 0;
  const resolved = resolveConfig(config);
  const memory = createMemorySnapshotStore({
    maxSuspended,
    maxPerSession: resolved.limits.maxSuspendedPerSession,
    clock,
  });
  const host = createHost({
    config: resolved,
    hostLabel: "host",
    wiring: {
      parts: {
        executor,
        clock,
        parkingMemory,
        signals: createAbortRelay(),
        redactor,
        ...(debug === undefined ? {} : { debug }),
        ...(tracer === undefined
          ? {}
          : { tracing: loadTracing({ tracer, onFault: (fault) => void faults.push(fault) }) }),
        store: { ...memory, ...store(memory) },
        newId: () => `id-${++ids}`,
        emit(event) {
          debug?.event(event);
          events.push(event);
          onEvent(event);
        },
        reportFault: (fault) => faults.push(fault),
      },
      dispose: async () => {},
    },
  });
  const opened = host.openRun({ scope: { agentRunId: "agent-1", sessionId: "session-1" }, tools: [], ...run });
  return { host, run: opened, clock, executor, parkingMemory, events, faults, debugLines };
}

/** A tool that takes anything. */
export function tool(
  name: string,
  execute: (input: never, context: Parameters<ToolDescriptor["execute"]>[1]) => unknown,
  more: Partial<ToolDescriptor> = {},
): ToolDescriptor {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: { type: "object" },
    execute: async (input, context): Promise<ToolOutcome> => ({
      details: (await execute(input as never, context)) as never,
    }),
    ...more,
  };
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T = unknown>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
