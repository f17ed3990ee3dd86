import type { NestedCallRecord } from "@codemode/protocol";
import { shortText } from "./short-text.js";

/** The most records a trajectory keeps; beyond, the oldest go. */
export const MAX_TRAJECTORY_RECORDS = 10_000;
const MAX_NAME_CHARS = 200;
const MAX_ERROR_CHARS = 1_000;

/** What is known of a call when it is dispatched. */
export type StartedCall = Pick<NestedCallRecord, "id" | "parentId" | "toolName" | "callableName" | "source">;

/** What happened to a run's nested calls, in dispatch order. Holds no input and no output. */
export interface Trajectory {
  /** A call was dispatched. Its names come from tools and are cut at 200 characters. */
  start(call: StartedCall): void;
  /** How a call ended; `error` is cut at 1,000 characters. A call that settled already, or is not kept, is left alone. */
  settle(id: string, status: Exclude<NestedCallRecord["status"], "running">, error?: string): void;
  list(): readonly NestedCallRecord[];
}

/** `now` is monotonic, in ms; its reading at creation is the origin of all times. */
export function createTrajectory({ now }: { readonly now: () => number }): Trajectory {
  const openedAt = now();
  const records = new Map<string, NestedCallRecord>();
  /** Oldest first; it goes on where it stopped, so that dropping a record costs the same however many went before. */
  const oldest = records.keys();
  const sinceOpened = (): number => Math.round((now() - openedAt) * 1_000) / 1_000;

  return {
    start({ id, parentId, toolName, callableName, source }) {
      records.set(id, {
        id,
        ...(parentId === undefined ? {} : { parentId }),
        toolName: shortText(toolName, MAX_NAME_CHARS),
        callableName: shortText(callableName, MAX_NAME_CHARS),
        source: shortText(source, MAX_NAME_CHARS),
        status: "running",
        startedAtMs: sinceOpened(),
      });
      if (records.size <= MAX_TRAJECTORY_RECORDS) return;
      const dropped = oldest.next();
      if (dropped.done !== true) records.delete(dropped.value);
    },
    settle(id, status, error) {
      const record = records.get(id);
      if (record?.status !== "running") return;
      records.set(id, {
        ...record,
        status,
        durationMs: Math.round((sinceOpened() - record.startedAtMs) * 1_000) / 1_000,
        ...(error === undefined ? {} : { error: shortText(error, MAX_ERROR_CHARS) }),
      });
    },
    list: () => [...records.values()],
  };
}
