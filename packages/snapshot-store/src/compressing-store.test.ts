import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deflateSync } from "node:zlib";
import {
  CodeModeError,
  type ParkedCell,
  type SnapshotLease,
  type SnapshotRecord,
  type SnapshotStore,
} from "@codemode/protocol";
import { createFakeClock, describeSnapshotStoreContract, parkedCellOf, snapshotRecordOf } from "@codemode/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCompressingStore, type CompressedRun, type CompressingStoreOptions } from "./compressing-store.js";
import { DEFLATE, type MemoryCodec } from "./compression.js";
import { createMemorySnapshotStore } from "./memory-store.js";

const OWNER = { agentRunId: "run", sessionId: "session" };
const IDLE_MS = 30_000;
const TTL_MS = 60_000;

/** Gives a byte for a memory, and the memory back. Works when it is told to. */
function createTokenCodec(): MemoryCodec & { hold(): { open(): void } } {
  const memories: Uint8Array[] = [];
  let gate = Promise.resolve();
  return {
    async compress(memory) {
      await gate;
      return Uint8Array.of(memories.push(memory.slice()) - 1);
    },
    decompress: async ([token = -1]) => memories[token] ?? new Uint8Array(),
    hold() {
      let open = (): void => {};
      gate = new Promise((resolve) => (open = resolve));
      return { open };
    },
  };
}

interface Made {
  readonly store: SnapshotStore;
  /** What is behind it. */
  readonly inner: SnapshotStore;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly codec: ReturnType<typeof createTokenCodec>;
  readonly compressed: CompressedRun[];
  readonly faults: unknown[];
}

function createStore(options: CompressingStoreOptions = {}, changed: Partial<SnapshotStore> = {}): Made {
  const clock = createFakeClock();
  const codec = createTokenCodec();
  const inner = { ...createMemorySnapshotStore({ clock }), ...changed };
  const [compressed, faults]: [CompressedRun[], unknown[]] = [[], []];
  const told = { onCompress: (run: CompressedRun) => compressed.push(run), onFault: (e: unknown) => faults.push(e) };
  const store = createCompressingStore(inner, { clock, codec, ...told, ...options });
  return { store, inner, clock, codec, compressed, faults };
}

async function leaseOf(store: SnapshotStore, runId: string): Promise<SnapshotLease> {
  const outcome = await store.acquire(runId, OWNER);
  if (outcome.status !== "acquired") throw new Error(`${runId} was refused: ${outcome.reason}`);
  return outcome.lease;
}

/** What lies in a store: looked at, and left as it was. */
async function storedIn(store: SnapshotStore, runId: string): Promise<ParkedCell | undefined> {
  const lease = await leaseOf(store, runId);
  const parked = await store.read(lease);
  await store.release(lease);
  return parked;
}

const isCompressed = async (inner: SnapshotStore, runId: string): Promise<boolean> =>
  (await storedIn(inner, runId))?.snapshot.compression !== undefined;

describeSnapshotStoreContract("compressing", (setup) =>
  createCompressingStore(createMemorySnapshotStore(setup), { clock: setup.clock }),
);

describeSnapshotStoreContract("compressing, every run compressed", (setup) => {
  const options = { compressParkedAfterMs: 0, clock: setup.clock, codec: createTokenCodec() };
  const store = createCompressingStore(createMemorySnapshotStore(setup), options);
  const thenCompress =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await method(...args);
      await setup.clock.advance(0);
      return result;
    };
  return { ...store, park: thenCompress(store.park), release: thenCompress(store.release) };
});

describe("an idle run", () => {
  test("is stored smaller, tells its sizes, and is read as it was parked", async () => {
    const { store, inner, clock, compressed } = createStore();
    await store.park(snapshotRecordOf("a", { parked: parkedCellOf(7) }));
    await clock.advance(IDLE_MS - 1);
    expect([await isCompressed(inner, "a"), compressed]).toEqual([false, []]);
    await clock.advance(1);
    expect(compressed).toEqual([{ runId: "a", bytes: 3, storedBytes: 1 }]);
    expect((await storedIn(inner, "a"))?.snapshot).toMatchObject({
      memory: Uint8Array.of(0),
      compression: { format: "deflate", memoryBytes: 3 },
      bytes: 3,
    });
    expect(await storedIn(store, "a")).toEqual(parkedCellOf(7));
    expect(clock.pendingTimers()).toBe(0);
  });

  test("starts its time again when it is given back, and when it is parked again", async () => {
    const { store, inner, clock } = createStore();
    await store.park(snapshotRecordOf("a"));
    await clock.advance(IDLE_MS - 1);
    await store.release(await leaseOf(store, "a"));
    await clock.advance(IDLE_MS - 1);
    const lease = await leaseOf(store, "a");
    await clock.advance(IDLE_MS);
    await store.park(snapshotRecordOf("a"), lease);
    await clock.advance(IDLE_MS - 1);
    expect(await isCompressed(inner, "a")).toBe(false);
    await clock.advance(1);
    expect(await isCompressed(inner, "a")).toBe(true);
  });

  test("is compressed once; one that gets no smaller stays as it is", async () => {
    const { store, inner, clock, compressed } = createStore({
      codec: { ...DEFLATE, compress: async (memory) => new Uint8Array(memory.byteLength) },
    });
    await store.park(snapshotRecordOf("a"));
    await clock.advance(IDLE_MS);
    expect([await isCompressed(inner, "a"), compressed, clock.pendingTimers()]).toEqual([false, [], 0]);
  });

  test("waits for the one before it", async () => {
    const { store, clock, codec, compressed } = createStore();
    const gate = codec.hold();
    for (const runId of ["a", "b"]) await store.park(snapshotRecordOf(runId));
    await clock.advance(IDLE_MS);
    expect(await store.acquire("b", OWNER)).toMatchObject({ status: "acquired" });
    gate.open();
    await clock.advance(0);
    expect(compressed.map(({ runId }) => runId)).toEqual(["a"]);
  });
});

describe("a run that is wanted while it is compressed", () => {
  test("WAIT-06: is had at once, as it was parked, and the late result is dropped", async () => {
    const { store, inner, clock, codec, compressed } = createStore();
    const gate = codec.hold();
    await store.park(snapshotRecordOf("a", { ttlMs: 10 * TTL_MS }));
    await clock.advance(IDLE_MS);
    const outcomes = await Promise.all([store.acquire("a", OWNER), store.acquire("a", OWNER)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["acquired", "refused"]);
    expect(outcomes[1]).toEqual({ status: "refused", reason: "in_flight" });
    const [first] = outcomes;
    if (first.status !== "acquired") return;
    gate.open();
    await clock.advance(0);
    expect(await store.read(first.lease)).toEqual(parkedCellOf(1));
    await store.release(first.lease);
    expect([await isCompressed(inner, "a"), compressed]).toEqual([false, []]);
    await clock.advance(IDLE_MS);
    expect(await isCompressed(inner, "a")).toBe(true);
  });

  test("WAIT-06: is refused to others as ever, and compressed later", async () => {
    const { store, inner, clock, codec } = createStore();
    const gate = codec.hold();
    await store.park(snapshotRecordOf("a", { ttlMs: 10 * TTL_MS }));
    await clock.advance(IDLE_MS);
    const other = { ...OWNER, sessionId: "other" };
    expect(await store.acquire("a", other)).toEqual({ status: "refused", reason: "wrong_session" });
    gate.open();
    await clock.advance(IDLE_MS);
    expect(await isCompressed(inner, "a")).toBe(true);
  });

  test("WAIT-11: is gone when it is dropped or the store is closed, and does not come back", async () => {
    for (const end of ["drop", "close"] as const) {
      const { store, inner, clock, codec, compressed } = createStore();
      const gate = codec.hold();
      await store.park(snapshotRecordOf("a"));
      await clock.advance(IDLE_MS);
      await (end === "drop" ? store.drop("a") : store.close());
      gate.open();
      await clock.advance(0);
      expect([await inner.list("session"), compressed, clock.pendingTimers()]).toEqual([[], [], 0]);
    }
  });

  test("WAIT-10: lives no longer for it", async () => {
    const { store, inner, clock, codec, faults } = createStore();
    await store.park(snapshotRecordOf("compressed"));
    await clock.advance(IDLE_MS);
    expect(await isCompressed(inner, "compressed")).toBe(true);
    const gate = codec.hold();
    await store.park(snapshotRecordOf("slow"));
    await clock.advance(TTL_MS - IDLE_MS - 1);
    expect(await store.list("session")).toEqual(["compressed", "slow"]);
    await clock.advance(1);
    expect(await store.list("session")).toEqual(["slow"]);
    clock.skip(TTL_MS);
    gate.open();
    await clock.advance(0);
    expect([await inner.list("session"), clock.pendingTimers(), faults]).toEqual([[], 0, []]);
  });
});

test("WAIT-11: nothing of a run is kept once it is compressed, dropped, replaced or closed away", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const clock = createFakeClock();
  let tell = (): void => {};
  const compressed = new Promise<void>((resolve) => (tell = resolve));
  const store = createCompressingStore(createMemorySnapshotStore({ clock }), { clock, onCompress: tell });
  const memories: WeakRef<Uint8Array>[] = [];
  const tracked = (runId: string): SnapshotRecord => {
    const { snapshot, ...cell } = parkedCellOf(memories.length);
    const memory = new Uint8Array(10_000);
    memories.push(new WeakRef(memory));
    return snapshotRecordOf(runId, { parked: { ...cell, snapshot: { ...snapshot, memory } } });
  };
  await store.park(tracked("compressed"));
  await clock.advance(IDLE_MS);
  await compressed;
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(memories.map((memory) => memory.deref())).toEqual([undefined]);
  await store.park(tracked("dropped"));
  await store.drop("dropped");
  await store.park(tracked("replaced"));
  await store.park(tracked("replaced"), await leaseOf(store, "replaced"));
  await store.close();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(memories.map((memory) => memory.deref())).toEqual([undefined, undefined, undefined, undefined]);
});

describe("in any order and at any time", () => {
  /** What the store is asked for, and when a compression under way is let go on. */
  const action = fc.record({
    type: fc.constantFrom("park", "acquire", "release", "repark", "drop", "idle", "let go"),
    run: fc.constantFrom("a", "b"),
  });

  test("WAIT-03, WAIT-06: a run is had when it is free, as it was parked last", async () => {
    const property = fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const { store, clock, codec, faults } = createStore({ compressParkedAfterMs: 10 });
      const runs = new Map<string, { marker: number; lease?: SnapshotLease }>();
      let gate = codec.hold();
      for (const [marker, { type, run }] of actions.entries()) {
        const known = runs.get(run);
        const record = snapshotRecordOf(run, { parked: parkedCellOf(marker), ttlMs: 1_000_000 });
        if (type === "park" && known === undefined) {
          expect(await store.park(record)).toEqual({ status: "parked" });
          runs.set(run, { marker });
        } else if (type === "acquire") {
          const outcome = await store.acquire(run, OWNER);
          const expected = known === undefined ? "unavailable" : known.lease === undefined ? "acquired" : "in_flight";
          expect(outcome.status === "refused" ? outcome.reason : outcome.status).toBe(expected);
          if (outcome.status === "acquired" && known !== undefined) known.lease = outcome.lease;
        } else if (type === "release" && known?.lease !== undefined) {
          expect(await store.read(known.lease)).toEqual(parkedCellOf(known.marker));
          await store.release(known.lease);
          runs.set(run, { marker: known.marker });
        } else if (type === "repark" && known?.lease !== undefined) {
          expect(await store.park(record, known.lease)).toEqual({ status: "parked" });
          runs.set(run, { marker });
        } else if (type === "drop") {
          await store.drop(run);
          runs.delete(run);
        } else if (type === "idle") await clock.advance(10);
        else if (type === "let go") {
          gate.open();
          await clock.advance(0);
          gate = codec.hold();
        }
      }
      gate.open();
      await clock.advance(10);
      expect([...(await store.list("session"))].sort()).toEqual([...runs.keys()].sort());
      expect([clock.pendingTimers(), faults]).toEqual([0, []]);
    });
    await fc.assert(property, { seed: 3, numRuns: 60 });
  });
});

describe("what goes wrong", () => {
  const broken = (): Promise<never> => Promise.reject(new Error("broken"));

  test.each<[string, CompressingStoreOptions, Partial<SnapshotStore>]>([
    ["a codec", { codec: { ...DEFLATE, compress: broken } }, {}],
    ["a store that cannot read", {}, { read: broken }],
  ])("%s that fails leaves the run as it was, and is told of", async (_name, options, changed) => {
    const { store, clock, faults } = createStore(options, changed);
    await store.park(snapshotRecordOf("a"));
    await clock.advance(IDLE_MS);
    expect(faults).toEqual([new Error("broken")]);
    expect(await store.acquire("a", OWNER)).toMatchObject({ status: "acquired" });
  });

  test("a store that is down is told of; the next run is compressed all the same", async () => {
    let isDown = true;
    const memory = createMemorySnapshotStore();
    const acquire: SnapshotStore["acquire"] = (...asked) => (isDown ? broken() : memory.acquire(...asked));
    const { store, clock, faults, compressed } = createStore({}, { ...memory, acquire });
    await store.park(snapshotRecordOf("a"));
    await clock.advance(IDLE_MS);
    isDown = false;
    await store.park(snapshotRecordOf("b"));
    await clock.advance(IDLE_MS);
    expect([faults, compressed.map(({ runId }) => runId)]).toEqual([[new Error("broken")], ["b"]]);
  });

  test("options and records that cannot be used are refused", async () => {
    const { store, inner } = createStore();
    for (const value of [-1, NaN, 2 ** 31])
      expect(() => createCompressingStore(inner, { compressParkedAfterMs: value })).toThrow(
        `compressParkedAfterMs: must be from 0 to 2147483647, got ${value}`,
      );
    const { snapshot, ...cell } = parkedCellOf(1);
    const compression = { format: "deflate" as const, memoryBytes: 9 };
    const record = snapshotRecordOf("a", { parked: { ...cell, snapshot: { ...snapshot, compression } } });
    await expect(store.park(record)).rejects.toThrow("record.parked.snapshot.compression: is for the store to set");
  });

  test("no timer of the platform's clock keeps the process alive", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((type) => type === "Timeout").length;
    const before = timers();
    const store = createCompressingStore(createMemorySnapshotStore());
    await store.park(snapshotRecordOf("a"));
    expect(timers()).toBe(before);
    await store.close();
  });
});

describe("WAIT-13: compressed memory", () => {
  const memory = new Uint8Array(20_000).map((_byte, index) => (index * index) % 7);

  /** Reads a run whose stored form was changed. */
  async function read(change: { memory?: Uint8Array; memoryBytes?: number }): Promise<ParkedCell | undefined> {
    const inner = createMemorySnapshotStore();
    const { snapshot, ...cell } = parkedCellOf(1);
    const compression = { format: "deflate" as const, memoryBytes: change.memoryBytes ?? memory.byteLength };
    const stored = { ...snapshot, memory: change.memory ?? new Uint8Array(deflateSync(memory)), compression };
    await inner.park(snapshotRecordOf("a", { parked: { ...cell, snapshot: stored } }));
    const store = createCompressingStore(inner, { maxMemoryBytes: 1_000_000 });
    return store.read(await leaseOf(store, "a"));
  }

  function refusal(reason: string): CodeModeError {
    return new CodeModeError("snapshot_incompatible", `The snapshot cannot be restored: ${reason}.`, { reason });
  }

  test("comes back to the byte, compressed by the platform", async () => {
    expect((await read({}))?.snapshot).toEqual({ ...parkedCellOf(1).snapshot, memory });
    const compressed = await DEFLATE.compress(memory);
    expect(compressed.byteLength).toBeLessThan(memory.byteLength / 10);
    expect(await DEFLATE.decompress(compressed, memory.byteLength)).toEqual(memory);
  });

  const whole = new Uint8Array(deflateSync(memory));
  const flipped = whole.slice();
  flipped[whole.byteLength - 1] = (whole.at(-1) as number) ^ 1;
  const damaged = "its compressed memory is damaged";
  test.each<[string, Parameters<typeof read>[0], string]>([
    ["a flipped bit", { memory: flipped }, damaged],
    ["a cut end", { memory: whole.subarray(0, whole.byteLength - 1) }, damaged],
    ["no bytes", { memory: new Uint8Array() }, damaged],
    ["raw bytes", { memory }, damaged],
    ["more than it says", { memoryBytes: memory.byteLength - 1 }, damaged],
    ["less than it says", { memoryBytes: memory.byteLength + 1 }, "its compressed memory is incomplete"],
    ["a bomb", { memory: new Uint8Array(deflateSync(new Uint8Array(50_000_000))), memoryBytes: 1_000 }, damaged],
    ["an absurd length", { memoryBytes: 2 ** 52 }, `its memory has ${2 ** 52} bytes, at most 1000000 are accepted`],
    ["no length", { memoryBytes: NaN }, "its memory has NaN bytes, at most 1000000 are accepted"],
  ])("with %s is refused", async (_name, change, reason) => {
    await expect(read(change)).rejects.toThrow(refusal(reason));
  });

  test("a bomb is not inflated past the length it says", async () => {
    const bomb = new Uint8Array(deflateSync(new Uint8Array(100_000_000)));
    const before = process.memoryUsage().arrayBuffers;
    await expect(DEFLATE.decompress(bomb, 1_000)).rejects.toThrow("more than 1000 bytes");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });
});
