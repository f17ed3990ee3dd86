import type { NestedCallRecord } from "@codemode/protocol";

/** What is known of a call when it is dispatched. */
export type StartedCall = Pick<NestedCallRecord, "id" | "parentId" | "toolName" | "callableName" | "source">;

/** The record of a run's nested calls, in dispatch order, over all its cells and waits. */
export interface Trajectory {
  start(call: StartedCall): void;
  /** Ends a call; one that has ended, or that is not known any more, stays as it is. `error` is "Name: message". */
  settle(id: string, status: Exclude<NestedCallRecord["status"], "running">, error?: string): void;
  list(): readonly NestedCallRecord[];
}

/** The most records a trajectory keeps; beyond, the oldest go. */
export const MAX_TRAJECTORY_RECORDS = 10_000;

/** `now` is monotonic, in ms; records count from the creation of the trajectory. */
export function createTrajectory({ now }: { now(): number }): Trajectory {
  const startedAt = now();
  const records = new Map<string, NestedCallRecord>();
  return {
    start(call) {
      records.set(call.id, { ...call, status: "running", startedAtMs: now() - startedAt });
      if (records.size <= MAX_TRAJECTORY_RECORDS) return;
      for (const oldest of records.keys()) {
        records.delete(oldest);
        return;
      }
    },
    settle(id, status, error) {
      const record = records.get(id);
      if (record?.status !== "running") return;
      const durationMs = now() - startedAt - record.startedAtMs;
      records.set(id, { ...record, status, durationMs, ...(error === undefined ? {} : { error }) });
    },
    list: () => [...records.values()],
  };
}
