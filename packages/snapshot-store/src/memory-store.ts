/**
 * Invariants: at most one lease per run; a run keeps its slot from parking to drop, leased or not; nothing of a dropped
 * run is kept. Every method does its work before it gives its promise back, so all checks are atomic.
 */
import {
  CodeModeError,
  MAX_SUSPENDED_RUNS,
  type AcquireOutcome,
  type ParkOutcome,
  type RunScope,
  type SnapshotRecord,
  type SnapshotStore,
} from "@codemode/protocol";
import { createSlots } from "./slots.js";

export interface MemorySnapshotStoreOptions {
  /** Runs held at a time, leased ones included. Default 64. */
  readonly maxSuspended?: number;
  /** Runs one session may hold, leased ones included. Default 16. Runs without a session count only for `maxSuspended`. */
  readonly maxPerSession?: number;
  /** Monotonic time in ms. Default the platform's. */
  readonly clock?: { now(): number };
}

const DEFAULT_PER_SESSION = 16;

/** Keeps parked runs in this process. Expired runs are removed when the store is next asked for anything. */
export function createMemorySnapshotStore(options: MemorySnapshotStoreOptions = {}): SnapshotStore {
  const maxSuspended = countOption("maxSuspended", options.maxSuspended ?? MAX_SUSPENDED_RUNS);
  const maxPerSession = countOption("maxPerSession", options.maxPerSession ?? DEFAULT_PER_SESSION);
  const slots = createSlots(options.clock ?? { now: () => performance.now() });
  let isClosed = false;

  function refusalOf({ runId, scope }: SnapshotRecord): ParkOutcome | undefined {
    if (isClosed) throw new CodeModeError("closed", "The snapshot store is closed.", { what: "store" });
    if (slots.find(runId) !== undefined) throw invalidArgument("record.runId", `${runId} is parked already`);
    if (slots.runIds().length >= maxSuspended) return refusedPark("too_many");
    const isFull = scope.sessionId !== undefined && slots.runIdsOf(scope.sessionId).length >= maxPerSession;
    return isFull ? refusedPark("session_quota") : undefined;
  }

  return {
    async park(record, lease) {
      const { runId, ttlMs } = record;
      if (!(ttlMs >= 0 && ttlMs < Infinity))
        throw invalidArgument("record.ttlMs", `must be a time in ms, got ${ttlMs}`);
      if (lease === undefined) {
        const refusal = refusalOf(record);
        if (refusal !== undefined) return refusal;
      } else if (lease.runId !== runId || slots.held(lease) === undefined) return refusedPark("lease_lost");
      slots.put(record);
      return { status: "parked" };
    },
    async acquire(runId, scope) {
      const slot = slots.find(runId);
      if (slot === undefined) return refusedAcquire("unavailable");
      const mismatch = scopeMismatch(slot.record.scope, scope);
      if (mismatch !== undefined) return refusedAcquire(mismatch);
      if (slot.leaseId !== undefined) return refusedAcquire("in_flight");
      return { status: "acquired", lease: slots.lease(slot) };
    },
    read: async (lease) => slots.held(lease)?.record.parked,
    async release(lease) {
      const slot = slots.held(lease);
      if (slot !== undefined) slot.leaseId = undefined;
    },
    drop: async (runId) => slots.remove(runId),
    list: async (sessionId) => slots.runIdsOf(sessionId),
    async close() {
      isClosed = true;
      slots.clear();
    },
  };
}

function scopeMismatch(owner: RunScope, caller: RunScope): "wrong_agent_run" | "wrong_session" | undefined {
  if (owner.agentRunId !== caller.agentRunId) return "wrong_agent_run";
  return owner.sessionId === caller.sessionId ? undefined : "wrong_session";
}

function refusedPark(reason: Extract<ParkOutcome, { status: "refused" }>["reason"]): ParkOutcome {
  return { status: "refused", reason };
}

function refusedAcquire(reason: Extract<AcquireOutcome, { status: "refused" }>["reason"]): AcquireOutcome {
  return { status: "refused", reason };
}

function countOption(path: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidArgument(path, `must be an integer of at least 1, got ${value}`);
}

function invalidArgument(path: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${path}: ${problem}`, { path, problem });
}
