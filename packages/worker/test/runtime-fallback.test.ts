import { expect, test } from "vitest";
import { AMPLE_MS, createExecutor, OPTIONS, openAtBoundary, repliesTo, runCell, SURFACE, valueOf } from "./executor.js";

const CODE = "const { n } = await echo({ n: 41 }); return n + 1;";

test("an engine that cannot have images is told of once per pool, and cells run and park all the same", async () => {
  const workerUrl = new URL("./fixtures/unequal-entry.mjs", import.meta.url);
  const { executor, events } = createExecutor({ workerUrl, maxWorkers: 2 });
  const held = await Promise.all([openAtBoundary(executor, CODE), openAtBoundary(executor, CODE)]);
  for (const [session, step] of held) {
    const parkStep = await session.park(AMPLE_MS);
    if (parkStep.type !== "parked") throw new Error(`expected a parked cell, got ${parkStep.type}`);
    expect(parkStep.parked.snapshot.imageId).toBeUndefined();
    const start = { type: "parked", parked: parkStep.parked, surface: SURFACE, replies: repliesTo(step) } as const;
    expect(valueOf(await executor.openSession(OPTIONS).start(start, AMPLE_MS))).toBe(42);
  }
  expect(valueOf(await runCell(executor, CODE))).toBe(42);
  const reason = "an instance of the engine is not equal to its image";
  expect(events.filter(({ type }) => type !== "worker-start")).toEqual([
    { type: "runtime-fallback", workerId: expect.any(Number) as number, reason },
  ]);
});
