import { describe, expect, test, vi } from "vitest";
import { WorkerSlot } from "../src/slot.js";
import {
  AMPLE_MS,
  completed,
  createPool,
  failed,
  fixture,
  openAtBoundary,
  runCell,
  until,
  WORKER_LOST,
} from "./pool.js";

const system = vi.hoisted(() => ({ hasThreads: true }));
vi.mock("node:worker_threads", async (importOriginal) => {
  const threads = await importOriginal<typeof import("node:worker_threads")>();
  return {
    ...threads,
    Worker: class extends threads.Worker {
      constructor(...inputs: ConstructorParameters<typeof threads.Worker>) {
        if (!system.hasThreads) throw new Error("EAGAIN");
        super(...inputs);
      }
    },
  };
});

const NO_WORKER = failed("WorkerError: no worker thread could be started.", "runtime_unavailable", "host");

describe("LIM-09: a worker that ends by itself", () => {
  test.each([
    ["exits with 0", "exit 0"],
    ["exits with 1", "exit 1"],
    ["crashes", "crash"],
    ["closes its port", "closePort"],
  ])("%s: the cell fails, the next one gets a new worker", async (_name, source) => {
    const { pool, events } = createPool();
    expect(await runCell(pool, source)).toEqual(WORKER_LOST);
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(events).toEqual([
      { type: "worker-start", workerId: 1 },
      { type: "worker-exit", workerId: 1, reason: "crashed" },
      { type: "worker-start", workerId: 2 },
    ]);
  });

  test("other cells are untouched", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    const untouched = await openAtBoundary(pool, "value 1");
    expect(await runCell(pool, "exit 0")).toEqual(WORKER_LOST);
    expect(await untouched.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
  });

  test("an exit at a boundary is told at the next step", async () => {
    const { pool, events } = createPool();
    const session = await openAtBoundary(pool, "exitIdle");
    await session.deliver({ replies: [] }, AMPLE_MS);
    await until(() => events.some((event) => event.type === "worker-exit"));
    expect(await session.deliver({ replies: [] }, AMPLE_MS)).toEqual(WORKER_LOST);
    await session.close();
  });

  test("what it said before it exited counts", async () => {
    const { pool } = createPool();
    expect(await runCell(pool, "answerAndExit")).toEqual(completed('"last words"'));
  });
});

describe("LIM-09: a worker that cannot start", () => {
  test.each(["broken-import.mjs", "exit-at-start.mjs", "no-engine.mjs"])("%s: every cell is told", async (name) => {
    const { pool } = createPool({ workerUrl: fixture(name), maxWorkers: 2 });
    expect(await Promise.all([runCell(pool, "value 1"), runCell(pool, "value 2"), runCell(pool, "value 3")])).toEqual([
      NO_WORKER,
      NO_WORKER,
      NO_WORKER,
    ]);
    expect(pool.stats()).toEqual({ workers: 0, busy: 0, queued: 0 });
  });

  test("a system without threads to give: every cell is told", async () => {
    system.hasThreads = false;
    const { pool } = createPool({ maxWorkers: 2 });
    expect(await Promise.all([runCell(pool, "value 1"), runCell(pool, "value 2")])).toEqual([NO_WORKER, NO_WORKER]);
    expect(await runCell(pool, "compile a")).toMatchObject({ failure: { code: "runtime_unavailable" } });
    await expect(pool.prewarm()).rejects.toMatchObject({
      message: 'Cells cannot run: a worker thread could not be started: "EAGAIN".',
    });
    system.hasThreads = true;
    expect(await runCell(pool, "value 3")).toEqual(completed("3"));
  });

  test("one that never gets ready is ended", async () => {
    const onGone = vi.fn();
    const slot = new WorkerSlot({
      workerId: 1,
      workerUrl: fixture("hang-at-start.mjs"),
      listener: { onIdle: vi.fn(), onFallback: vi.fn(), onGone },
      isAwaited: true,
      startLimitMs: 200,
    });
    await slot.gone;
    expect(await slot.started).toEqual({ endedBy: undefined });
    expect([slot.state, onGone.mock.calls]).toEqual(["gone", [[slot, "crashed"]]]);
  });

  test("prewarm says why", async () => {
    const { pool } = createPool({ workerUrl: fixture("broken-import.mjs") });
    await expect(pool.prewarm()).rejects.toMatchObject({
      code: "runtime_unavailable",
      message: 'Cells cannot run: a worker thread could not be started: "cannot load".',
    });
    await expect(pool.prewarm({ typescript: true })).rejects.toMatchObject({ code: "runtime_unavailable" });
  });
});
