import { crc32 } from "node:zlib";
import type { CellStart, ParkedCell, VmSnapshot } from "@codemode/protocol";
import type { Supervisor } from "@codemode/supervisor";
import { expect, test } from "vitest";
import { AMPLE_MS, createExecutor, OPTIONS, openAtBoundary, repliesTo, runCell, SURFACE, valueOf } from "./executor.js";

const CODE = "const kept = new Map([['n', 1]]); const { n } = await echo({ n: 41 }); return kept.get('n') + n;";

async function park(executor: Supervisor): Promise<{ parked: ParkedCell; start: CellStart & { type: "parked" } }> {
  const [session, step] = await openAtBoundary(executor, CODE);
  const parkStep = await session.park(AMPLE_MS);
  if (parkStep.type !== "parked") throw new Error(`expected a parked cell, got ${parkStep.type}`);
  const { parked } = parkStep;
  return { parked, start: { type: "parked", parked, surface: SURFACE, replies: repliesTo(step) } };
}

/** The checksum that an engine's snapshot of such content has. */
function checksumOf({ memory, stackPointer, runtimePtr, contextPtr, channelToken }: VmSnapshot): number {
  return crc32(Float64Array.of(stackPointer, runtimePtr, contextPtr, channelToken), crc32(memory));
}

function withBit(memory: Uint8Array, bit: number): Uint8Array {
  const changed = memory.slice();
  changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
  return changed;
}

test.each<[string, (snapshot: VmSnapshot) => Partial<VmSnapshot>, string]>([
  ["of another engine", () => ({ engine: "other" }), "another engine build"],
  ["of another catalog", () => ({ imageId: "other" }), "another catalog's image"],
  ["with a flipped bit", ({ memory }) => ({ memory: withBit(memory, 4_321) }), "damaged memory"],
  ["without an end", ({ memory }) => ({ memory: memory.slice(0, -1) }), "damaged memory"],
  ["without bytes", () => ({ memory: new Uint8Array() }), "damaged memory"],
  ["with other pointers", () => ({ contextPtr: 8 }), "damaged memory"],
  ["that is compressed", () => ({ compression: { format: "deflate", memoryBytes: 9 } }), "its memory is compressed"],
])("WAIT-13: a parked cell %s is refused, and its worker lives", async (_name, change, reason) => {
  const { executor, events } = createExecutor();
  const { parked, start } = await park(executor);
  const snapshot = { ...parked.snapshot, ...change(parked.snapshot) };
  const session = executor.openSession(OPTIONS);
  expect(await session.start({ ...start, parked: { ...parked, snapshot } }, AMPLE_MS)).toMatchObject({
    type: "failed",
    failure: {
      code: "runtime_unavailable",
      phase: "host",
      message: `CodeModeError: The parked cell cannot be restored: ${reason}.`,
    },
  });
  expect(valueOf(await executor.openSession(OPTIONS).start(start, AMPLE_MS))).toBe(42);
  expect(events).toEqual([{ type: "worker-start", workerId: 1 }]);
});

test("SEC-03: a forged memory that passes its checksum costs its own cell, a worker at most", async () => {
  const { executor } = createExecutor();
  const { parked, start } = await park(executor);
  const { memory } = parked.snapshot;
  const firstBlock = 12 + 4 * new DataView(memory.buffer, memory.byteOffset).getUint32(8, true);
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 24; seed++) {
    // Bits all over the blocks: objects, shapes, bytecode, the allocator's own lists.
    const bit = firstBlock * 8 + ((Math.imul(seed, 2_654_435_761) >>> 0) % ((memory.byteLength - firstBlock) * 8));
    const changed = { ...parked.snapshot, memory: withBit(memory, bit) };
    const snapshot = { ...changed, checksum: checksumOf(changed) };
    const session = executor.openSession({ ...OPTIONS, watchdogGraceMs: 100 });
    const step = await session.start({ ...start, parked: { ...parked, snapshot } }, 500);
    await session.close();
    outcomes.add(step.type);
    expect(valueOf(await runCell(executor, "return 1"))).toBe(1);
  }
  expect([...outcomes].filter((type) => !["completed", "boundary", "failed"].includes(type))).toEqual([]);
  expect(valueOf(await executor.openSession(OPTIONS).start(start, AMPLE_MS))).toBe(42);
});
