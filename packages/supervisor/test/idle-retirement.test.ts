import { describe, expect, test } from "vitest";
import { AMPLE_MS, completed, createPool, openAtBoundary, runCell, sleep, until } from "./pool.js";

describe("idle workers", () => {
  test("retire after the idle time, by their own will", async () => {
    const { pool, events } = createPool({ maxWorkers: 2, idleTimeoutMs: 50 });
    await Promise.all([runCell(pool, "slow 20"), runCell(pool, "slow 20")]);
    await until(() => pool.stats().workers === 0);
    expect(events.filter((event) => event.type === "worker-exit")).toEqual([
      { type: "worker-exit", workerId: expect.any(Number) as number, reason: "idle" },
      { type: "worker-exit", workerId: expect.any(Number) as number, reason: "idle" },
    ]);
    expect(await runCell(pool, "value 3")).toEqual(completed("3"));
  });

  test("never below minWorkers, and never one that holds a cell", async () => {
    const { pool } = createPool({ maxWorkers: 3, minWorkers: 1, idleTimeoutMs: 30 });
    const held = await openAtBoundary(pool, "value 1");
    await Promise.all([runCell(pool, "slow 20"), runCell(pool, "slow 20")]);
    await until(() => pool.stats().workers === 1);
    await sleep(60);
    expect(pool.stats()).toEqual({ workers: 1, busy: 1, queued: 0 });
    expect(await held.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
    await sleep(60);
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
  });

  test("prewarm starts minWorkers, at least one, and no second time", async () => {
    const { pool, events } = createPool({ maxWorkers: 3, minWorkers: 2 });
    await pool.prewarm();
    await pool.prewarm();
    expect(pool.stats()).toEqual({ workers: 2, busy: 0, queued: 0 });
    expect(events).toEqual([
      { type: "worker-start", workerId: 1 },
      { type: "worker-start", workerId: 2 },
    ]);
    const single = createPool();
    await single.pool.prewarm();
    expect(single.pool.stats().workers).toBe(1);
  });
});
