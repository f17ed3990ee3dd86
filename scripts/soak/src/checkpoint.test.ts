import { expect, test } from "vitest";
import { findLeftovers, type CheckpointParts } from "./checkpoint.js";

interface Counts {
  readonly openCells?: number;
  readonly openCalls?: number;
  readonly sessions?: number;
  readonly stats?: { readonly workers: number; readonly busy: number; readonly queued: number };
  readonly entries?: number;
  readonly leases?: number;
  readonly alive?: readonly number[];
  readonly restless?: readonly number[];
  readonly handles?: number;
  readonly timers?: readonly number[];
}

/** Two idle workers with their timers, the compile thread, and one timer of the soak's own; `counts` differ from that. */
function partsOf(counts: Counts): CheckpointParts {
  const {
    stats = { workers: 2, busy: 0, queued: 0 },
    alive = [1, 2, 3],
    restless = [],
    timers = [5, 30, 30, 99],
  } = counts;
  return {
    soak: {
      events: { openCells: () => counts.openCells ?? 0, openCalls: () => counts.openCalls ?? 0 },
      executor: { sessions: () => counts.sessions ?? 0 },
      store: { entries: () => counts.entries ?? 0, leases: () => counts.leases ?? 0 },
      pool: { stats: () => stats },
    },
    threads: { alive: () => alive },
    pages: { isAtRest: (threadId: number) => !restless.includes(threadId), leftHandles: () => counts.handles ?? 0 },
    timers: { active: () => timers },
    ownTimers: 1,
    sharedSignal: new AbortController().signal,
  } as unknown as CheckpointParts;
}

test("at rest nothing is left behind", async () => {
  expect(await findLeftovers(partsOf({}), 0)).toEqual([]);
});

test.each([
  [{ openCells: 1 }, "1 cells without an end"],
  [{ openCalls: 2 }, "2 nested calls without an end"],
  [{ sessions: 1 }, "1 sessions"],
  [{ stats: { workers: 2, busy: 1, queued: 0 } }, "1 workers that hold a cell"],
  [{ stats: { workers: 2, busy: 0, queued: 3 } }, "3 cells in the queue"],
  [{ entries: 1 }, "1 store entries"],
  [{ leases: 1 }, "1 leases"],
  [{ restless: [2] }, "1 threads with a VM"],
  [{ handles: 4 }, "4 engine handles"],
  [{ alive: [1, 2, 3, 4] }, "1 threads beyond the pool and its compiler"],
  [{ alive: [1], timers: [5, 30] }, "1 workers without a thread"],
  [{ timers: [5, 30, 30, 99, 7] }, "1 timers among those of 5, 30, 30, 99, 7 ms"],
] as const)("%j is found", async (counts: Counts, leftover) => {
  expect(await findLeftovers(partsOf(counts), 0)).toEqual([leftover]);
});

test("a listener on a shared signal is found", async () => {
  const parts = partsOf({});
  parts.sharedSignal.addEventListener("abort", () => {});
  expect(await findLeftovers(parts, 0)).toEqual(["1 listeners on a shared signal"]);
});

test("what comes to rest within the limit is not left behind", async () => {
  let looks = 0;
  const parts = partsOf({});
  const pages = { ...parts.pages, leftHandles: () => (++looks < 3 ? 1 : 0) };
  expect(await findLeftovers({ ...parts, pages }, 5_000)).toEqual([]);
});
