import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { CodeModeError, type SnapshotRecord } from "@codemode/protocol";
import { createFakeClock, describeSnapshotStoreContract, parkedCellOf, snapshotRecordOf } from "@codemode/testing";
import { describe, expect, test } from "vitest";
import { createMemorySnapshotStore } from "./memory-store.js";

describeSnapshotStoreContract("memory", createMemorySnapshotStore);

const OWNER = { agentRunId: "run", sessionId: "session" };

describe("memory store", () => {
  test("WAIT-08, WAIT-09: by default 64 runs are held, 16 of one session", async () => {
    const store = createMemorySnapshotStore();
    const parkIn = (runId: string, sessionId: string | undefined) =>
      store.park(snapshotRecordOf(runId, { scope: { agentRunId: "run", ...(sessionId && { sessionId }) } }));
    for (let n = 0; n < 16; n++) expect(await parkIn(`a${n}`, "a")).toEqual({ status: "parked" });
    expect(await parkIn("a16", "a")).toEqual({ status: "refused", reason: "session_quota" });
    for (let n = 0; n < 48; n++) expect(await parkIn(`n${n}`, undefined)).toEqual({ status: "parked" });
    expect(await parkIn("last", "b")).toEqual({ status: "refused", reason: "too_many" });
  });

  test("a cap that is no count is refused", () => {
    expect(() => createMemorySnapshotStore({ maxSuspended: 0 })).toThrow(
      new CodeModeError("invalid_argument", "maxSuspended: must be an integer of at least 1, got 0", {
        path: "maxSuspended",
        problem: "must be an integer of at least 1, got 0",
      }),
    );
  });

  test("parking a run twice without its lease, or for no time, is a mistake of the host", async () => {
    const store = createMemorySnapshotStore();
    await store.park(snapshotRecordOf("a"));
    await expect(store.park(snapshotRecordOf("a"))).rejects.toThrow("record.runId: a is parked already");
    await expect(store.park(snapshotRecordOf("b", { ttlMs: NaN }))).rejects.toThrow(
      "record.ttlMs: must be a time in ms, got NaN",
    );
  });

  test("WAIT-11: nothing of a run is kept once it is dropped, replaced, expired or closed away", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const clock = createFakeClock();
    const store = createMemorySnapshotStore({ clock });
    const memories: WeakRef<Uint8Array>[] = [];
    const tracked = (runId: string): SnapshotRecord => {
      const parked = parkedCellOf(memories.length);
      memories.push(new WeakRef(parked.snapshot.memory));
      return snapshotRecordOf(runId, { parked });
    };
    await store.park(tracked("dropped"));
    await store.drop("dropped");
    await store.park(tracked("replaced"));
    const outcome = await store.acquire("replaced", OWNER);
    await store.park(tracked("replaced"), outcome.status === "acquired" ? outcome.lease : undefined);
    await store.park(tracked("expired"));
    clock.skip(60_000);
    await store.list("session");
    await store.park(tracked("closed"));
    await store.close();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(memories.map((memory) => memory.deref())).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
