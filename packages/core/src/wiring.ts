import { randomUUID } from "node:crypto";
import { createCompressingStore, createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createRedactor, loadTracing } from "@codemode/telemetry";
import { createSupervisor } from "@codemode/supervisor";
import { MAX_SUSPENDED_RUNS, type CellLimits, type CodeModeEvent, type SnapshotStore } from "@codemode/protocol";
import { workerUrl } from "@codemode/worker";
import { createAbortRelay } from "./abort-relay.js";
import { createSystemClock, type Clock } from "./clock.js";
import { createDebugView, type DebugView } from "./debug-view.js";
import type { CodeModeOptions } from "./options.js";
import { createParkingMemory } from "./parking-memory.js";
import { createFaultReporter } from "./report-fault.js";
import type { HostParts } from "./run-context.js";
import { ZLIB_CODEC } from "./zlib-codec.js";

/** Snapshots of cells that were parked under pressure, in bytes, over all cells of one host object. */
const MAX_PARKING_MEMORY_BYTES = 256 * 1024 * 1024;

/** The parts of one host object, and how to give back those that were made for it. */
export interface Wiring {
  readonly parts: HostParts;
  dispose(): Promise<void>;
}

/** The embedded defaults where the host gives nothing: a local pool of worker threads and an in-memory store. */
export function wireParts(options: CodeModeOptions, limits: CellLimits): Wiring {
  const owned: { close(): Promise<void> }[] = [];
  const own = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    owned.push(part);
    return part;
  };
  const clock = createSystemClock();
  const redactor = createRedactor(options.redaction);
  const debug = createDebugView({ wanted: process.env["CODEMODE_DEBUG"], redactor, write: writeToStderr });
  const reportFault = createFaultReporter(redactor);
  const emit = withEvents(createEmitter(options.onEvent, reportFault), debug);
  const { min, max, idleTimeoutMs } = options.workers ?? {};
  const pool = {
    workerUrl,
    onEvent: emit,
    ...(min === undefined ? {} : { minWorkers: min }),
    ...(max === undefined ? {} : { maxWorkers: max }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  };
  return {
    parts: {
      executor: options.executor ?? own(createSupervisor(pool)),
      store: options.snapshotStore ?? own(createDefaultStore(options, { limits, clock, emit, reportFault })),
      clock,
      parkingMemory: createParkingMemory(MAX_PARKING_MEMORY_BYTES),
      signals: createAbortRelay(),
      redactor,
      ...(debug === undefined ? {} : { debug }),
      ...(options.tracer === undefined
        ? {}
        : { tracing: loadTracing({ tracer: options.tracer, onFault: reportFault }) }),
      emit,
      newId: randomUUID,
      reportFault,
    },
    async dispose() {
      await Promise.all(owned.map((part) => part.close()));
    },
  };
}

interface StoreParts {
  readonly limits: CellLimits;
  readonly clock: Clock;
  readonly emit: (event: CodeModeEvent) => void;
  readonly reportFault: (fault: unknown) => void;
}

/** @throws {CodeModeError} `invalid_argument`. */
function createDefaultStore(
  { compressParkedAfterMs }: CodeModeOptions,
  { limits, clock, emit, reportFault }: StoreParts,
): SnapshotStore {
  const { maxSuspendedPerSession: maxPerSession } = limits;
  const memory = createMemorySnapshotStore({ maxSuspended: MAX_SUSPENDED_RUNS, maxPerSession, clock });
  if (compressParkedAfterMs === false) return memory;
  return createCompressingStore(memory, {
    ...(compressParkedAfterMs === undefined ? {} : { compressParkedAfterMs }),
    clock,
    codec: ZLIB_CODEC,
    onCompress: (run) => emit({ type: "cell-compress", ...run }),
    onFault: reportFault,
  });
}

/** Observers must not be able to break a cell. */
function createEmitter(
  observe: ((event: CodeModeEvent) => void) | undefined,
  reportFault: (fault: unknown) => void,
): (event: CodeModeEvent) => void {
  if (observe === undefined) return () => {};
  return (event) => {
    try {
      observe(event);
    } catch (error) {
      reportFault(error);
    }
  };
}

function withEvents(emit: (event: CodeModeEvent) => void, debug: DebugView | undefined): typeof emit {
  if (debug === undefined) return emit;
  return (event) => {
    debug.event(event);
    emit(event);
  };
}

function writeToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
