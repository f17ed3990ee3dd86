import { describe, expect, test } from "vitest";
import {
  ABORTED,
  AMPLE_MS,
  completed,
  createPool,
  openAtBoundary,
  OVERRUN,
  OPTIONS,
  runCell,
  script,
  shareCounter,
  sleep,
  until,
} from "./pool.js";

describe("OWN-05: closing a session", () => {
  test("mid-step: settles once the worker can have no further effect", async () => {
    const { pool, events } = createPool();
    const counter = shareCounter();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("count"), AMPLE_MS);
    await until(() => Atomics.load(counter, 0) > 0);
    await session.close();
    const count = Atomics.load(counter, 0);
    await sleep(100);
    expect(Atomics.load(counter, 0)).toBe(count);
    expect(await step).toEqual(ABORTED);
    expect(events.at(-1)).toEqual({ type: "worker-exit", workerId: 1, reason: "aborted" });
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
  });

  test("the step under way does not settle before the worker is done", async () => {
    const { pool } = createPool();
    const counter = shareCounter();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("count"), AMPLE_MS);
    await until(() => Atomics.load(counter, 0) > 0);
    void session.close();
    await step;
    const count = Atomics.load(counter, 0);
    await sleep(100);
    expect(Atomics.load(counter, 0)).toBe(count);
  });

  test("mid-step: a worker that answers is kept", async () => {
    const { pool } = createPool();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("patient"), AMPLE_MS);
    await until(() => pool.stats().busy === 1);
    await session.close();
    expect(await step).toEqual(ABORTED);
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
  });

  test("mid-step: what the step still brought is kept, the outcome is aborted", async () => {
    const { pool } = createPool();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("interruptible"), AMPLE_MS);
    await until(() => pool.stats().busy === 1);
    await session.close();
    const output = { items: [{ text: '"said"', bytes: 6, isComplete: true }], omittedItems: 0, omittedBytes: 0 };
    expect(await step).toEqual({ ...ABORTED, output, guestMs: 1 });
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
  });

  test("at a boundary: the worker gives the cell up and is kept", async () => {
    const { pool } = createPool();
    const session = await openAtBoundary(pool, "value 1");
    await session.close();
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
    expect(await session.deliver({ replies: [] }, AMPLE_MS)).toEqual(ABORTED);
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
  });

  test("at a boundary: a worker that does not answer is ended", async () => {
    const { pool, events } = createPool();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("deaf"), AMPLE_MS);
    await until(() => pool.stats().busy === 1);
    await session.close();
    expect(await step).toEqual(ABORTED);
    expect(events.at(-1)).toEqual({ type: "worker-exit", workerId: 1, reason: "aborted" });
  });

  test("while the watchdog is ending its worker: settles once the thread is dead", async () => {
    const { pool } = createPool();
    await pool.prewarm();
    const session = pool.openSession({ ...OPTIONS, watchdogGraceMs: 0 });
    const step = session.start(script("loop"), 300);
    await until(() => pool.stats().busy === 1);
    await until(() => pool.stats().busy === 0);
    await session.close();
    // Which of the two it is depends on whether the thread was dead already.
    expect([ABORTED, OVERRUN]).toContainEqual(await step);
    expect(pool.stats().workers).toBe(0);
  });

  test("before and after the cell: nothing to end, and again nothing", async () => {
    const { pool } = createPool();
    const unused = pool.openSession(OPTIONS);
    await unused.close();
    expect(await unused.start(script("value 1"), AMPLE_MS)).toEqual(ABORTED);
    const finished = pool.openSession(OPTIONS);
    await finished.start(script("value 1"), AMPLE_MS);
    await Promise.all([finished.close(), finished.close()]);
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
  });

  test("while its worker starts: the worker is not lost", async () => {
    const { pool } = createPool();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("value 1"), AMPLE_MS);
    await session.close();
    expect(await step).toEqual(ABORTED);
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(pool.stats().workers).toBe(1);
  });
});
