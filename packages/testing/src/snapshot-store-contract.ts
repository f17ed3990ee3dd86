import { describe, expect, test } from "vitest";
import type {
  AcquireOutcome,
  ParkedCell,
  RunScope,
  SnapshotLease,
  SnapshotRecord,
  SnapshotStore,
} from "@codemode/protocol";
import { createFakeClock, type FakeClock } from "./fake-clock.js";

/** What a store under test is made with. */
export interface SnapshotStoreSetup {
  readonly maxSuspended: number;
  readonly maxPerSession: number;
  readonly clock: Pick<FakeClock, "now" | "schedule" | "advance">;
}

const TTL_MS = 60_000;
const OWNER: RunScope = { agentRunId: "run", sessionId: "session" };

/** A parked cell whose memory begins with `marker`. */
export function parkedCellOf(marker: number): ParkedCell {
  const snapshot = { formatVersion: 1, engine: "engine", memory: new Uint8Array([marker, 0, 255]), bytes: 3 };
  const pointers = { stackPointer: 1, runtimePtr: 2, contextPtr: 3, channelToken: 4, checksum: marker };
  const source = { language: "javascript" as const, submitted: "return 1", code: "return 1", insertions: [] };
  return { snapshot: { ...snapshot, ...pointers }, source };
}

/** A record of one run, in the scope `{ agentRunId: "run", sessionId: "session" }` unless another is given. */
export function snapshotRecordOf(runId: string, fields: Partial<SnapshotRecord> = {}): SnapshotRecord {
  return { runId, scope: OWNER, parked: parkedCellOf(1), ttlMs: TTL_MS, ...fields };
}

/** What every snapshot store must do. `createStore` is called once per test; the store is closed after it. */
export function describeSnapshotStoreContract(
  name: string,
  createStore: (setup: SnapshotStoreSetup) => SnapshotStore | Promise<SnapshotStore>,
): void {
  async function withStore(work: (store: SnapshotStore, clock: FakeClock) => Promise<void>): Promise<void> {
    const clock = createFakeClock();
    const store = await createStore({ maxSuspended: 4, maxPerSession: 2, clock });
    try {
      await work(store, clock);
    } finally {
      await store.close();
    }
  }
  describe(`${name}: snapshot store contract`, () => {
    describeLeases(withStore);
    describeScopes(withStore);
    describeExpiry(withStore);
    describeCaps(withStore);
    describeRemoval(withStore);
  });
}

type WithStore = (work: (store: SnapshotStore, clock: FakeClock) => Promise<void>) => Promise<void>;

async function acquire(store: SnapshotStore, runId: string, scope: RunScope = OWNER): Promise<SnapshotLease> {
  const outcome = await store.acquire(runId, scope);
  if (outcome.status !== "acquired") throw new Error(`${runId} was refused: ${outcome.reason}`);
  expect(outcome.lease.runId).toBe(runId);
  return outcome.lease;
}

function refused(reason: Extract<AcquireOutcome, { status: "refused" }>["reason"]): AcquireOutcome {
  return { status: "refused", reason };
}

function describeLeases(withStore: WithStore): void {
  test("WAIT-03: a leased run gives back the cell that was parked", () =>
    withStore(async (store) => {
      expect(await store.park(snapshotRecordOf("a", { parked: parkedCellOf(7) }))).toEqual({ status: "parked" });
      const lease = await acquire(store, "a");
      expect(await store.read(lease)).toEqual(parkedCellOf(7));
      expect(await store.read(lease)).toEqual(parkedCellOf(7));
    }));

  test("WAIT-06: a run has one lease at a time", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      const outcomes = await Promise.all([1, 2, 3].map(() => store.acquire("a", OWNER)));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["acquired", "refused", "refused"]);
      expect(outcomes.filter(({ status }) => status === "refused")).toEqual([
        refused("in_flight"),
        refused("in_flight"),
      ]);
    }));

  test("WAIT-04: a released run stays parked as it was, and its old lease is dead", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      const first = await acquire(store, "a");
      await store.release(first);
      const second = await acquire(store, "a");
      expect(second.leaseId).not.toBe(first.leaseId);
      await store.release(first);
      expect(await store.acquire("a", OWNER)).toEqual(refused("in_flight"));
      expect(await store.read(first)).toBeUndefined();
      expect(await store.read(second)).toEqual(parkedCellOf(1));
    }));

  test("WAIT-04: parking with the lease replaces the cell and ends the lease", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      const lease = await acquire(store, "a");
      expect(await store.park(snapshotRecordOf("a", { parked: parkedCellOf(2) }), lease)).toEqual({ status: "parked" });
      expect(await store.read(lease)).toBeUndefined();
      expect(await store.read(await acquire(store, "a"))).toEqual(parkedCellOf(2));
    }));

  test("WAIT-08: parking with a lost or foreign lease is refused and stores nothing", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      await store.park(snapshotRecordOf("b"));
      const lease = await acquire(store, "a");
      const lost = { status: "refused", reason: "lease_lost" };
      expect(await store.park(snapshotRecordOf("b", { parked: parkedCellOf(9) }), lease)).toEqual(lost);
      await store.drop("a");
      expect(await store.park(snapshotRecordOf("a"), lease)).toEqual(lost);
      expect(await store.list("session")).toEqual(["b"]);
      expect(await store.read(await acquire(store, "b"))).toEqual(parkedCellOf(1));
    }));
}

function describeScopes(withStore: WithStore): void {
  test("WAIT-06: refusals come in the order unknown, agent run, session, in flight", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      await acquire(store, "a");
      const other = { agentRunId: "other", sessionId: "other" };
      expect(await store.acquire("b", other)).toEqual(refused("unavailable"));
      expect(await store.acquire("a", other)).toEqual(refused("wrong_agent_run"));
      expect(await store.acquire("a", { ...OWNER, sessionId: "other" })).toEqual(refused("wrong_session"));
      expect(await store.acquire("a", { agentRunId: "run" })).toEqual(refused("wrong_session"));
      expect(await store.acquire("a", OWNER)).toEqual(refused("in_flight"));
    }));

  test("WAIT-06: a run without a session is refused to one that has one", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a", { scope: { agentRunId: "run" } }));
      expect(await store.acquire("a", OWNER)).toEqual(refused("wrong_session"));
      await acquire(store, "a", { agentRunId: "run", agentId: "any" });
    }));
}

function describeExpiry(withStore: WithStore): void {
  test("WAIT-10: a run lives its time and no longer, and frees its slot", () =>
    withStore(async (store, clock) => {
      await store.park(snapshotRecordOf("a"));
      clock.skip(TTL_MS - 1);
      await store.release(await acquire(store, "a"));
      clock.skip(1);
      expect(await store.acquire("a", OWNER)).toEqual(refused("unavailable"));
      expect(await store.list("session")).toEqual([]);
      await store.park(snapshotRecordOf("b"));
      expect(await store.park(snapshotRecordOf("c"))).toEqual({ status: "parked" });
    }));

  test("WAIT-10: a lease suspends expiry, giving it back ends an expired run", () =>
    withStore(async (store, clock) => {
      await store.park(snapshotRecordOf("a"));
      const lease = await acquire(store, "a");
      clock.skip(TTL_MS * 2);
      expect(await store.read(lease)).toEqual(parkedCellOf(1));
      expect(await store.list("session")).toEqual(["a"]);
      await store.release(lease);
      expect(await store.acquire("a", OWNER)).toEqual(refused("unavailable"));
    }));

  test("WAIT-10: parking again starts the time again", () =>
    withStore(async (store, clock) => {
      await store.park(snapshotRecordOf("a"));
      const lease = await acquire(store, "a");
      clock.skip(TTL_MS - 1);
      await store.park(snapshotRecordOf("a"), lease);
      clock.skip(TTL_MS - 1);
      await acquire(store, "a");
    }));
}

function describeCaps(withStore: WithStore): void {
  const inSession = (runId: string, sessionId: string): SnapshotRecord =>
    snapshotRecordOf(runId, { scope: { agentRunId: "run", sessionId } });

  test("WAIT-08: no more runs than the cap are held, and parking at the same time passes nobody", () =>
    withStore(async (store) => {
      const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => store.park(inSession(`r${n}`, `s${n}`))));
      const tooMany = { status: "refused", reason: "too_many" };
      expect(outcomes.filter(({ status }) => status === "parked")).toHaveLength(4);
      expect(outcomes.filter(({ status }) => status === "refused")).toEqual([tooMany, tooMany]);
    }));

  test("WAIT-08: a leased run keeps its slot until it parks again or is dropped", () =>
    withStore(async (store) => {
      for (const n of [1, 2, 3, 4]) await store.park(inSession(`r${n}`, `s${n}`));
      const lease = await acquire(store, "r1", { agentRunId: "run", sessionId: "s1" });
      expect(await store.park(inSession("r5", "s5"))).toEqual({ status: "refused", reason: "too_many" });
      expect(await store.park(inSession("r1", "s1"), lease)).toEqual({ status: "parked" });
      await store.drop("r1");
      expect(await store.park(inSession("r5", "s5"))).toEqual({ status: "parked" });
    }));

  test("WAIT-09: one session cannot hold more than its quota, leased runs included", () =>
    withStore(async (store) => {
      await store.park(inSession("a", "s"));
      await store.park(inSession("b", "s"));
      await acquire(store, "a", { agentRunId: "run", sessionId: "s" });
      expect(await store.park(inSession("c", "s"))).toEqual({ status: "refused", reason: "session_quota" });
      expect(await store.park(inSession("d", "t"))).toEqual({ status: "parked" });
      await store.drop("b");
      expect(await store.park(inSession("c", "s"))).toEqual({ status: "parked" });
    }));
}

function describeRemoval(withStore: WithStore): void {
  test("WAIT-11: a dropped run is gone, leased or not; dropping it again is fine", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      const lease = await acquire(store, "a");
      await store.drop("a");
      await store.drop("a");
      await store.release(lease);
      expect(await store.read(lease)).toBeUndefined();
      expect(await store.acquire("a", OWNER)).toEqual(refused("unavailable"));
    }));

  test("WAIT-14: the runs of a session can be listed, parked or leased", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      await store.park(snapshotRecordOf("b"));
      await store.park(snapshotRecordOf("c", { scope: { agentRunId: "run", sessionId: "other" } }));
      await store.park(snapshotRecordOf("d", { scope: { agentRunId: "run" } }));
      await acquire(store, "a");
      expect([...(await store.list("session"))].sort()).toEqual(["a", "b"]);
      expect(await store.list("nobody")).toEqual([]);
    }));

  test("WAIT-11: closing removes everything, and nothing is parked afterwards", () =>
    withStore(async (store) => {
      await store.park(snapshotRecordOf("a"));
      const lease = await acquire(store, "a");
      await store.close();
      expect(await store.read(lease)).toBeUndefined();
      expect(await store.acquire("a", OWNER)).toEqual(refused("unavailable"));
      expect(await store.park(snapshotRecordOf("a"), lease)).toEqual({ status: "refused", reason: "lease_lost" });
      await expect(store.park(snapshotRecordOf("b"))).rejects.toMatchObject({ code: "closed" });
      await store.close();
    }));
}
