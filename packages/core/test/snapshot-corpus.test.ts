// Every parked cell has one of two verdicts, whatever happened to its bytes: it loads and goes on as if nothing had been,
// or it is refused with one code.
import {
  createCompressingStore,
  createMemorySnapshotStore,
  decodeEnvelope,
  encodeEnvelope,
} from "@codemode/snapshot-store";
import {
  CodeModeError,
  type ParkedCell,
  type SnapshotRecord,
  type SnapshotStore,
  type VmSnapshot,
} from "@codemode/protocol";
import { createFakeClock, repliesTo } from "@codemode/testing";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createQuickJsRuntime } from "@codemode/quickjs";
import { createDraw, DIFFERENCE, forged, FRAME, viewOf, withBit, withHeader, withUint32 } from "./corpus/forge.js";
import {
  finish,
  OPTIONS,
  parkCell,
  SMALL_CELL,
  VALID_CELLS,
  WHOLE_CELL,
  type ParkedValidCell,
} from "./corpus/valid-cells.js";

const MAX_BYTES = 16 * 1024 * 1024;

const small = parkCell(SMALL_CELL);
const whole = parkCell(WHOLE_CELL);

afterEach(() => vi.restoreAllMocks());

function decode(bytes: Uint8Array, { engine }: VmSnapshot): SnapshotRecord {
  return decodeEnvelope(bytes, { engine, maxBytes: MAX_BYTES });
}

/** Compares memories natively: there may be millions of bytes. */
function expectSame({ memory, ...rest }: VmSnapshot, { memory: expected, ...expectedRest }: VmSnapshot): void {
  expect(rest).toEqual(expectedRest);
  expect(Buffer.compare(memory, expected)).toBe(0);
}

/** Restores a snapshot in a new engine and runs the cell to its end. */
async function load({ cell, step }: ParkedValidCell, snapshot: VmSnapshot): Promise<unknown> {
  const runtime = cell.createRuntime();
  try {
    const vm = await runtime.restore(snapshot, cell.surface, OPTIONS);
    const value = finish(vm, step);
    vm.dispose();
    expect(runtime.liveHandles()).toBe(0);
    return value;
  } finally {
    runtime.dispose();
  }
}

/** The reason of a refusal. Anything else that happens fails the test. */
async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!CodeModeError.isInstance(error) || error.code !== "snapshot_incompatible") throw error;
    return (error as CodeModeError<"snapshot_incompatible">).details.reason;
  }
  throw new Error("it was not refused");
}

/** A store whose runs are envelopes, as one outside this process has them. */
function createEnvelopeStore(engine: string, clock: { now(): number }): SnapshotStore & { sizes(): number[] } {
  const envelopes = new Map<string, Uint8Array>();
  const memory = createMemorySnapshotStore({ clock });
  return {
    ...memory,
    async park(record, lease) {
      const outcome = await memory.park(record, lease);
      envelopes.set(record.runId, encodeEnvelope(record));
      return outcome;
    },
    async read(lease) {
      const bytes = envelopes.get(lease.runId);
      return bytes && decodeEnvelope(bytes, { engine, maxBytes: MAX_BYTES }).parked;
    },
    sizes: () => [...envelopes.values()].map(({ byteLength }) => byteLength),
  };
}

describe.each(VALID_CELLS.map((cell) => [cell.name, cell] as const))("loads: %s", (_name, cell) => {
  const parked = parkCell(cell);

  test("WAIT-03: goes on in another engine from its envelope", async () => {
    const { record } = await parked;
    const decoded = decode(encodeEnvelope(record), record.parked.snapshot);
    expectSame(decoded.parked.snapshot, record.parked.snapshot);
    expect([decoded.runId, decoded.scope, decoded.parked.source]).toEqual([
      record.runId,
      record.scope,
      record.parked.source,
    ]);
    expect(await load(await parked, decoded.parked.snapshot)).toEqual(cell.value);
  });

  test("WAIT-03: goes on after a store compressed it", async () => {
    const { record } = await parked;
    const clock = createFakeClock();
    const inner = createEnvelopeStore(record.parked.snapshot.engine, clock);
    let tell = (): void => {};
    const compressed = new Promise<void>((resolve) => (tell = resolve));
    const store = createCompressingStore(inner, { compressParkedAfterMs: 10, clock, onCompress: tell });
    await store.park(record);
    const [before = 0] = inner.sizes();
    await clock.advance(10);
    await compressed;
    const [after = Infinity] = inner.sizes();
    expect(after).toBeLessThan(before * 0.6);
    const outcome = await store.acquire(record.runId, record.scope);
    if (outcome.status !== "acquired") throw new Error(outcome.reason);
    const { snapshot } = (await store.read(outcome.lease)) as ParkedCell;
    expectSame(snapshot, record.parked.snapshot);
    expect(await load(await parked, snapshot)).toEqual(cell.value);
  });

  test("WAIT-03: goes on when it is parked at every boundary", async () => {
    const { record, step: first } = await parked;
    let { snapshot } = record.parked;
    let step = first;
    for (let turn = 0; step.type === "boundary" && turn < 100; turn++) {
      const runtime = cell.createRuntime();
      const vm = await runtime.restore(snapshot, cell.surface, OPTIONS);
      step = vm.deliver({ replies: repliesTo(step) }, 10_000);
      if (step.type === "boundary") snapshot = vm.park();
      vm.dispose();
      runtime.dispose();
    }
    expect(step.type === "completed" && JSON.parse(step.value.text)).toEqual(cell.value);
  });
});

describe("WAIT-13: refused, by the envelope", () => {
  const NO_MATCH = "the sizes in the envelope do not match its bytes";
  const parts = (bytes: Uint8Array): number[] => {
    const memoryAt = FRAME.bytes + viewOf(bytes).getUint32(FRAME.headerBytes, true);
    const indexesEnd = memoryAt + DIFFERENCE.indexes + 4 * viewOf(bytes).getUint32(memoryAt + DIFFERENCE.count, true);
    return [memoryAt, memoryAt + DIFFERENCE.indexes, indexesEnd, bytes.byteLength - 1];
  };

  test("cut at every boundary of frame, header and memory", async () => {
    const { record } = await small;
    const bytes = encodeEnvelope(record);
    for (const length of [0, 7, FRAME.version, FRAME.headerBytes, FRAME.memoryBytes, FRAME.checksum, 23]) {
      const reason = await refusalOf(() => decode(bytes.subarray(0, length), record.parked.snapshot));
      expect(reason).toBe(`the envelope has only ${length} bytes`);
    }
    for (const length of [FRAME.bytes, ...parts(bytes)]) {
      const reason = await refusalOf(() => decode(bytes.subarray(0, length), record.parked.snapshot));
      expect([length, reason]).toEqual([length, NO_MATCH]);
    }
  });

  test.each<[string, (bytes: Uint8Array) => Uint8Array, string]>([
    ["another magic", (bytes) => withBit(bytes, 3), "the bytes are not an envelope"],
    ["bytes before it", (bytes) => new Uint8Array([0, ...bytes]), "the bytes are not an envelope"],
    [
      "another format version",
      (bytes) => withUint32(bytes, FRAME.version, 2),
      "the envelope has format version 2, this build reads 1",
    ],
    ["a header longer than all", (bytes) => withUint32(bytes, FRAME.headerBytes, 2 ** 32 - 1), NO_MATCH],
    ["a memory longer than all", (bytes) => withUint32(bytes, FRAME.memoryBytes, 2 ** 32 - 1), NO_MATCH],
    [
      "lengths that overflow 32 bits together",
      (bytes) => withUint32(withUint32(bytes, FRAME.headerBytes, 2 ** 31), FRAME.memoryBytes, 2 ** 31),
      NO_MATCH,
    ],
    ["no header", (bytes) => withUint32(bytes, FRAME.headerBytes, 0), NO_MATCH],
    ["bytes after it", (bytes) => new Uint8Array([...bytes, 0]), NO_MATCH],
    ["another checksum", (bytes) => withBit(bytes, FRAME.checksum * 8), "the envelope is damaged"],
    ["bytes that are none", () => new Uint8Array(4_096), "the bytes are not an envelope"],
    [
      "too many bytes",
      () => new Uint8Array(MAX_BYTES + 1),
      "the envelope has 16777217 bytes, at most 16777216 are accepted",
    ],
  ])("%s", async (_name, damage, reason) => {
    const { record } = await small;
    const bytes = damage(encodeEnvelope(record));
    expect(await refusalOf(() => decode(bytes, record.parked.snapshot))).toBe(reason);
  });

  test("any flipped bit, in frame, header and memory", async () => {
    const { record } = await small;
    const bytes = encodeEnvelope(record);
    const [memoryAt = 0, , indexesEnd = 0] = parts(bytes);
    const draw = createDraw(7);
    const bits = [
      ...Array.from({ length: FRAME.bytes * 8 }, (_, bit) => bit),
      ...Array.from({ length: 150 }, () => FRAME.bytes * 8 + draw((memoryAt - FRAME.bytes) * 8)),
      ...Array.from({ length: 150 }, () => memoryAt * 8 + draw((indexesEnd - memoryAt) * 8)),
      ...Array.from({ length: 100 }, () => indexesEnd * 8 + draw((bytes.byteLength - indexesEnd) * 8)),
    ];
    for (const bit of bits) await refusalOf(() => decode(withBit(bytes, bit), record.parked.snapshot));
  });

  test.each<[string, Parameters<typeof withHeader>[1], string]>([
    ["another engine", ({ snapshot }) => (snapshot["engine"] = "0".repeat(64)), "it belongs to another engine build"],
    [
      "another snapshot format",
      ({ snapshot }) => (snapshot["formatVersion"] = 2),
      "the snapshot has format version 2, this build reads 1",
    ],
    [
      "a pointer that is none",
      ({ snapshot }) => (snapshot["contextPtr"] = -1),
      "snapshot.contextPtr must be an integer of at least 0, got -1",
    ],
    [
      "a pointer past exact numbers",
      ({ snapshot }) => (snapshot["stackPointer"] = 2 ** 53),
      "snapshot.stackPointer must be an integer of at least 0, got 9007199254740992",
    ],
    [
      "a checksum that is none",
      ({ snapshot }) => (snapshot["checksum"] = 2 ** 32),
      "snapshot.checksum must be an integer of at most 4294967295, got 4294967296",
    ],
    [
      "an unknown compression",
      ({ snapshot }) => (snapshot["compression"] = { format: "zip", memoryBytes: 1 }),
      'snapshot.compression.format must be a known format, "deflate", got "zip"',
    ],
    [
      "a compression without a length",
      ({ snapshot }) => (snapshot["compression"] = { format: "deflate" }),
      "snapshot.compression.memoryBytes must be an integer of at least 0, got undefined",
    ],
    ["no owner", ({ scope }) => delete scope["agentRunId"], "scope.agentRunId must be a string, got undefined"],
  ])("a header, forged with its frame, with %s", async (_name, change, reason) => {
    const { record } = await small;
    const bytes = withHeader(record, change);
    expect(await refusalOf(() => decode(bytes, record.parked.snapshot))).toBe(reason);
  });

  test("a forged owner is not the one who asks", async () => {
    const { record } = await small;
    for (const [field, reason] of [
      ["agentRunId", "wrong_agent_run"],
      ["sessionId", "wrong_session"],
    ] as const) {
      const store = createMemorySnapshotStore();
      await store.park(
        decode(
          withHeader(record, ({ scope }) => (scope[field] = "other")),
          record.parked.snapshot,
        ),
      );
      expect(await store.acquire(record.runId, record.scope)).toEqual({ status: "refused", reason });
    }
  });
});

describe("WAIT-13: refused, by the engine, checksums and all forged to fit", () => {
  /** Another snapshot in its place; `imageBytes` is the length of the image's memory. */
  type Forgery = (snapshot: VmSnapshot, imageBytes: number) => VmSnapshot;
  const fields =
    (change: (snapshot: VmSnapshot) => Partial<VmSnapshot>): Forgery =>
    (snapshot) => ({ ...snapshot, ...change(snapshot) });
  const memory =
    (change: (bytes: Uint8Array, imageBytes: number) => Uint8Array): Forgery =>
    (snapshot, imageBytes) => ({ ...snapshot, memory: change(snapshot.memory, imageBytes) });
  const index = (n: number): number => DIFFERENCE.indexes + 4 * n;
  const DAMAGED = "damaged memory";

  const ofDifference: [string, Forgery, string][] = [
    ["another image", fields(() => ({ imageId: "0".repeat(64) })), "another catalog's image"],
    ["no image", ({ imageId: _, ...rest }) => rest, DAMAGED],
    ["another format", fields(() => ({ formatVersion: 2 })), "format version 2"],
    ["another engine", fields(() => ({ engine: "other" })), "another engine build"],
    ["another stack pointer", fields(({ stackPointer }) => ({ stackPointer: stackPointer - 16 })), "damaged pointers"],
    ["another runtime", fields(({ runtimePtr }) => ({ runtimePtr: runtimePtr + 8 })), "damaged pointers"],
    ["another context", fields(() => ({ contextPtr: 0 })), "damaged pointers"],
    ["another channel", fields(({ channelToken }) => ({ channelToken: channelToken + 0.5 })), "damaged pointers"],
    ["no bytes", memory(() => new Uint8Array()), DAMAGED],
    ["half a header", memory((bytes) => bytes.subarray(0, 11)), DAMAGED],
    ["a byte too few", memory((bytes) => bytes.subarray(0, bytes.byteLength - 1)), DAMAGED],
    ["a byte too many", memory((bytes) => new Uint8Array([...bytes, 0])), DAMAGED],
    ["a block too many", memory((bytes) => new Uint8Array([...bytes, ...new Uint8Array(256)])), DAMAGED],
    ["another block size", memory((bytes) => withUint32(bytes, DIFFERENCE.blockBytes, 512)), DAMAGED],
    ["no blocks of many", memory((bytes) => withUint32(bytes, DIFFERENCE.count, 0)), DAMAGED],
    ["a count that overflows", memory((bytes) => withUint32(bytes, DIFFERENCE.count, 2 ** 32 - 1)), DAMAGED],
    ["a block outside", memory((bytes) => withUint32(bytes, index(lastBlock(bytes)), 2 ** 24)), DAMAGED],
    ["a block that overflows", memory((bytes) => withUint32(bytes, index(lastBlock(bytes)), 2 ** 32 - 1)), DAMAGED],
    ["a block twice", memory((bytes) => withUint32(bytes, index(1), viewOf(bytes).getUint32(index(0), true))), DAMAGED],
    ["blocks out of order", memory((bytes) => withUint32(bytes, index(0), 2 ** 20)), DAMAGED],
    ["a memory of nothing", memory((bytes) => withUint32(bytes, 0, 0)), DAMAGED],
    ["a memory smaller than the image", memory((bytes, image) => withUint32(bytes, 0, image - 65_536)), DAMAGED],
    ["a memory without its last page", memory((bytes, image) => withUint32(bytes, 0, image - 1)), DAMAGED],
    ["a memory of no whole pages", memory((bytes, image) => withUint32(bytes, 0, image + 4_096)), DAMAGED],
    ["a memory as large as a number", memory((bytes) => withUint32(bytes, 0, 2 ** 32 - 1)), DAMAGED],
    [
      "a memory past the cell's limit",
      memory((bytes) => withUint32(bytes, 0, 2 ** 32 - 65_536)),
      "more memory than the cell may have",
    ],
    [
      "a memory past the cell's limit, without a block",
      memory((_bytes) => new Uint8Array(Uint32Array.of(2 ** 31, DIFFERENCE.blockSize, 0).buffer)),
      "more memory than the cell may have",
    ],
    [
      "a compressed memory",
      fields(({ memory: { byteLength } }) => ({ compression: { format: "deflate", memoryBytes: byteLength } })),
      "its memory is compressed",
    ],
  ];

  /** Pages of each growth that is asked for; making an engine asks for some. */
  function watchGrowth(): () => number[] {
    const { prototype } = (WebAssembly as unknown as { Memory: { prototype: { grow(pages: number): number } } }).Memory;
    const grow = vi.spyOn(prototype, "grow");
    return () => grow.mock.calls.map(([pages]) => pages);
  }

  function lastBlock(bytes: Uint8Array): number {
    return viewOf(bytes).getUint32(DIFFERENCE.count, true) - 1;
  }

  test.each(ofDifference)("a difference with %s", async (_name, forgery, reason) => {
    const parked = await small;
    const { snapshot } = parked.record.parked;
    const imageBytes = viewOf(snapshot.memory).getUint32(0, true);
    const pages = watchGrowth();
    expect(await refusalOf(() => load(parked, forged(forgery(snapshot, imageBytes))))).toBe(reason);
    expect(Math.max(...pages())).toBeLessThanOrEqual(imageBytes / 65_536);
  });

  const ofWhole: [string, Forgery, string][] = [
    ["the id of an image", fields(() => ({ imageId: "0".repeat(64) })), "another catalog's image"],
    ["no bytes", fields(() => ({ memory: new Uint8Array() })), DAMAGED],
    ["no whole pages", fields(({ memory: bytes }) => ({ memory: bytes.subarray(0, bytes.byteLength - 256) })), DAMAGED],
    ["a page only", fields(({ memory: bytes }) => ({ memory: bytes.subarray(0, 65_536) })), "damaged pointers"],
    ["a pointer to nothing", fields(() => ({ runtimePtr: 0 })), "damaged pointers"],
    ["a pointer outside", fields(({ memory: { byteLength } }) => ({ contextPtr: byteLength })), "damaged pointers"],
    ["a pointer between bytes", fields(() => ({ channelToken: 4_096.5 })), "damaged pointers"],
  ];

  test.each(ofWhole)("a whole memory with %s", async (_name, forgery, reason) => {
    const parked = await whole;
    const { snapshot } = parked.record.parked;
    const runtime = createQuickJsRuntime();
    const changed = forged(forgery(snapshot, 0));
    expect(await refusalOf(() => runtime.restore(changed, SMALL_CELL.surface, OPTIONS))).toBe(reason);
    runtime.dispose();
  });
});

test("WAIT-13: any flipped bit of a memory is refused by the engine alone, whatever the store does", async () => {
  const draw = createDraw(11);
  for (const parked of [await small, await whole]) {
    const { snapshot } = parked.record.parked;
    const runtime = createQuickJsRuntime();
    for (let flip = 0; flip < 60; flip++) {
      const damaged = { ...snapshot, memory: withBit(snapshot.memory, draw(snapshot.memory.byteLength * 8)) };
      const restore = () => runtime.restore(damaged, SMALL_CELL.surface, OPTIONS);
      expect(await refusalOf(restore)).toBe("damaged memory");
    }
    expect(runtime.liveHandles()).toBe(0);
    runtime.dispose();
  }
});

describe("WAIT-13: bytes of earlier builds", async () => {
  interface Origin {
    readonly file: string;
    readonly engine: string;
    readonly value: unknown;
  }
  const folder = new URL("./fixtures/parked/", import.meta.url);
  const manifest = JSON.parse(await readFile(new URL("manifest.json", folder), "utf8")) as readonly Origin[];

  test.each(manifest)("$file loads on its own engine and is refused on any other", async ({ file, engine, value }) => {
    const parked = await small;
    const bytes = new Uint8Array(await readFile(new URL(file, folder)));
    const inner = createMemorySnapshotStore();
    const record = decodeEnvelope(bytes, { engine, maxBytes: MAX_BYTES });
    await inner.park(record);
    const store = createCompressingStore(inner);
    const outcome = await store.acquire(record.runId, record.scope);
    const snapshot = outcome.status === "acquired" ? (await store.read(outcome.lease))?.snapshot : undefined;
    await store.close();
    if (snapshot === undefined) throw new Error("the store has lost it");
    if (engine === parked.record.parked.snapshot.engine) return expect(await load(parked, snapshot)).toEqual(value);
    expect(await refusalOf(() => load(parked, snapshot))).toBe("another engine build");
    expect(await refusalOf(() => decode(bytes, parked.record.parked.snapshot))).toBe(
      "it belongs to another engine build",
    );
  });
});
