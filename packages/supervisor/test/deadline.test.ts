import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { createSupervisor } from "../src/index.js";
import {
  AMPLE_MS,
  completed,
  createPool,
  failed,
  fixture,
  openAtBoundary,
  OPTIONS,
  OVERRUN,
  runCell,
  script,
  until,
  WORKER,
} from "./pool.js";

const QUEUE_TIMEOUT = failed(
  "TimeoutError: the deadline passed while the cell waited for a worker.",
  "timeout",
  "guest",
);

describe("the watchdog", () => {
  test.each(["loop", "deaf"])("LIM-01: ends a worker that does not come back: %s", async (source) => {
    const { pool, events } = createPool();
    await pool.prewarm();
    const startedAt = performance.now();
    expect(await runCell(pool, source, 200)).toEqual(OVERRUN);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(events).toContainEqual({ type: "worker-exit", workerId: 1, reason: "deadline" });
  });

  test("covers deliveries and parks too", async () => {
    const { pool } = createPool();
    const delivered = await openAtBoundary(pool, "loop");
    expect(await delivered.deliver({ replies: [] }, 100)).toEqual(OVERRUN);
    const parked = await openAtBoundary(pool, "loop");
    expect(await parked.park(100)).toEqual(OVERRUN);
  });

  test("LIM-01: the host's event loop stays responsive", async () => {
    const { pool } = createPool();
    await pool.prewarm();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await runCell(pool, "loop", 300);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  test("an answer that is here when a busy host wakes up counts", async () => {
    const { pool } = createPool();
    await pool.prewarm();
    const step = runCell(pool, "slow 50", 100);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const wakesAt = performance.now() + 600;
    while (performance.now() < wakesAt);
    expect(await step).toEqual(completed('"slow"'));
  });
});

describe("LIM-10: waiting spends the deadline", () => {
  test("a queued cell ends as timeout and leaves the queue", async () => {
    const { pool } = createPool();
    const holding = await openAtBoundary(pool, "value 1");
    const queued = runCell(pool, "value 2", 50);
    expect(pool.stats()).toEqual({ workers: 1, busy: 1, queued: 1 });
    expect(await queued).toEqual(QUEUE_TIMEOUT);
    expect(pool.stats().queued).toBe(0);
    expect(await holding.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
  });

  test("a cell whose worker does not get ready ends as timeout and leaves the queue", async () => {
    const { pool } = createPool({ workerUrl: fixture("hang-at-start.mjs") });
    expect(await runCell(pool, "value 1", 100)).toEqual(QUEUE_TIMEOUT);
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
  });

  test("a cell with nothing left ends as timeout", async () => {
    const { pool } = createPool();
    expect(await runCell(pool, "value 1", 0)).toEqual(QUEUE_TIMEOUT);
    expect(await runCell(pool, "value 1", -5)).toEqual(QUEUE_TIMEOUT);
  });

  test("the worker is told what queueing and start-up left of the budget", async () => {
    const { pool } = createPool();
    const holding = runCell(pool, "slow 100");
    const step = await runCell(pool, "echo", 10_000);
    await holding;
    if (step.type !== "completed") throw new Error(`expected a completed cell, got ${step.type}`);
    const { remainingMs } = JSON.parse(step.value.text) as { remainingMs: number };
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(9900);
  });

  test("cells start in the order in which they came", async () => {
    const { pool } = createPool();
    const order: number[] = [];
    const cells = [1, 2, 3, 4].map((cell) => runCell(pool, `value ${cell}`).then(() => order.push(cell)));
    await Promise.all(cells);
    expect(order).toEqual([1, 2, 3, 4]);
  });

  test("a cell that leaves the queue lets the next one move up", async () => {
    const { pool } = createPool();
    const holding = await openAtBoundary(pool, "value 1");
    const leaving = pool.openSession(OPTIONS);
    const left = leaving.start(script("value 2"), AMPLE_MS);
    const next = runCell(pool, "value 3");
    await leaving.close();
    expect(await left).toMatchObject({ type: "failed", failure: { code: "aborted", phase: "host" } });
    await holding.deliver({ replies: [] }, AMPLE_MS);
    expect(await next).toEqual(completed("3"));
  });

  test("no more workers than allowed, by default as many as cores", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    await Promise.all(Array.from({ length: 12 }, () => runCell(pool, "slow 5")));
    expect(pool.stats()).toEqual({ workers: 2, busy: 0, queued: 0 });

    const supervisor = createSupervisor({ workerUrl: WORKER });
    const cells = Array.from({ length: availableParallelism() + 1 }, () => supervisor.openSession(OPTIONS));
    const steps = cells.map((cell) => cell.start(script("then value 1"), AMPLE_MS));
    await until(() => supervisor.stats().busy === availableParallelism());
    expect(supervisor.stats()).toEqual({ workers: availableParallelism(), busy: availableParallelism(), queued: 1 });
    await supervisor.close();
    await Promise.all(steps);
  });
});
