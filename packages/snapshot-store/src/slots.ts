import type { SnapshotLease, SnapshotRecord } from "@codemode/protocol";

/** One parked run. */
export interface Slot {
  readonly record: SnapshotRecord;
  readonly expiresAt: number;
  /** Set while the run is being resumed. A leased run does not expire. */
  leaseId: string | undefined;
}

/** The table of parked runs. Expired runs are removed before every look-up. */
export interface Slots {
  find(runId: string): Slot | undefined;
  /** The slot a lease holds; undefined when the lease was given back, replaced or its run dropped. */
  held(lease: SnapshotLease): Slot | undefined;
  /** Takes a run in, or replaces it; its time starts now and it has no lease. */
  put(record: SnapshotRecord): void;
  lease(slot: Slot): SnapshotLease;
  remove(runId: string): void;
  runIds(): string[];
  runIdsOf(sessionId: string): string[];
  clear(): void;
}

export function createSlots(clock: { now(): number }): Slots {
  const slots = new Map<string, Slot>();
  let leasesGiven = 0;

  function current(): Map<string, Slot> {
    const now = clock.now();
    for (const [runId, slot] of slots) {
      if (slot.leaseId === undefined && slot.expiresAt <= now) slots.delete(runId);
    }
    return slots;
  }

  return {
    find: (runId) => current().get(runId),
    held({ runId, leaseId }) {
      const slot = current().get(runId);
      return slot?.leaseId === leaseId ? slot : undefined;
    },
    put(record) {
      slots.set(record.runId, { record, expiresAt: clock.now() + record.ttlMs, leaseId: undefined });
    },
    lease(slot) {
      leasesGiven++;
      slot.leaseId = `lease_${leasesGiven}`;
      return { runId: slot.record.runId, leaseId: slot.leaseId };
    },
    remove: (runId) => void slots.delete(runId),
    runIds: () => [...current().keys()],
    runIdsOf: (sessionId) =>
      [...current().values()]
        .filter(({ record }) => record.scope.sessionId === sessionId)
        .map(({ record }) => record.runId),
    clear: () => slots.clear(),
  };
}
