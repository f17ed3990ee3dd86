import type { SnapshotStore } from "@codemode/protocol";

/** A store that is counted from outside. */
export interface ObservedStore extends SnapshotStore {
  /** Runs that were parked and not dropped. */
  entries(): number;
  /** Leases that were given and neither given back nor used up. */
  leases(): number;
  /** Runs parked so far, parking again not counted. */
  parked(): number;
}

export function observeStore(store: SnapshotStore): ObservedStore {
  const entries = new Set<string>();
  const leases = new Map<string, string>();
  let parked = 0;
  return {
    async park(record, lease) {
      const outcome = await store.park(record, lease);
      if (outcome.status === "refused") return outcome;
      if (lease === undefined) parked += 1;
      leases.delete(record.runId);
      entries.add(record.runId);
      return outcome;
    },
    async acquire(runId, scope) {
      const outcome = await store.acquire(runId, scope);
      if (outcome.status === "acquired") leases.set(runId, outcome.lease.leaseId);
      return outcome;
    },
    read: (lease) => store.read(lease),
    async release(lease) {
      if (leases.get(lease.runId) === lease.leaseId) leases.delete(lease.runId);
      await store.release(lease);
    },
    async drop(runId) {
      entries.delete(runId);
      leases.delete(runId);
      await store.drop(runId);
    },
    list: (sessionId) => store.list(sessionId),
    close: () => store.close(),
    entries: () => entries.size,
    leases: () => leases.size,
    parked: () => parked,
  };
}
