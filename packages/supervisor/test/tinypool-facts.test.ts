// What the supervisor does not leave to Tinypool, and why. Each fact is pinned as observed, so that an upgrade that
// changes it is noticed, next to what the supervisor does in spite of it.
import { MessageChannel, type Worker } from "node:worker_threads";
import { Tinypool } from "tinypool";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startThread } from "../src/worker-thread.js";
import {
  AMPLE_MS,
  completed,
  createPool,
  fixture,
  OPTIONS,
  runCell,
  script,
  sleep,
  until,
  WORKER_LOST,
} from "./pool.js";

const pools: Tinypool[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  // Not awaited: destroy() waits for ever for a thread that exited by itself.
  for (const pool of pools.splice(0)) void pool.destroy();
});

function rawPool(threads: { minThreads: number; maxThreads: number }): Tinypool {
  const pool = new Tinypool({ filename: fixture("raw-task.mjs").href, ...threads });
  pools.push(pool);
  return pool;
}

/** What a promise came to within a while. */
function outcomeOf(promise: Promise<unknown>, withinMs = 500): Promise<unknown> {
  const hangs = sleep(withinMs).then(() => "hangs");
  return Promise.race([promise.catch((error: unknown) => String(error)), hangs]);
}

describe("a worker that calls process.exit", () => {
  test("Tinypool: hangs its task and the next one", async () => {
    const pool = rawPool({ minThreads: 1, maxThreads: 1 });
    const first = pool.run({ type: "exit" });
    const next = pool.run({ type: "value", value: 2 });
    expect(await Promise.all([outcomeOf(first), outcomeOf(next)])).toEqual(["hangs", "hangs"]);
  });

  test("LIM-09: the supervisor watches the port and the thread: the cell fails, the next one runs", async () => {
    const { pool } = createPool();
    const cells = [runCell(pool, "exit 0"), runCell(pool, "value 2")];
    expect(await Promise.all(cells)).toEqual([WORKER_LOST, completed("2")]);
  });
});

describe("aborting a running task", () => {
  test("Tinypool: with minThreads 0 and maxThreads 1, strands queued tasks", async () => {
    const pool = rawPool({ minThreads: 0, maxThreads: 1 });
    const abort = new AbortController();
    const running = pool.run({ type: "loop" }, { signal: abort.signal });
    const queued = pool.run({ type: "value", value: 2 });
    await sleep(200);
    abort.abort();
    expect(await outcomeOf(running)).toBe("AbortError: The task has been aborted");
    expect(await outcomeOf(queued)).toBe("hangs");
  });

  test("the supervisor keeps the queue itself: a queued cell gets the next worker", async () => {
    const { pool } = createPool();
    const running = pool.openSession(OPTIONS);
    const aborted = running.start(script("loop"), AMPLE_MS);
    await until(() => pool.stats().busy === 1);
    const queued = runCell(pool, "value 2");
    await running.close();
    expect(await aborted).toMatchObject({ type: "failed", failure: { code: "aborted" } });
    expect(await queued).toEqual(completed("2"));
  });

  test("Tinypool: rejects before the thread is dead", async () => {
    const pool = rawPool({ minThreads: 0, maxThreads: 1 });
    const { port1, port2 } = new MessageChannel();
    const order: string[] = [];
    port1.on("close", () => order.push("port closed"));
    const abort = new AbortController();
    const running = pool.run({ type: "hold", port: port2 }, { signal: abort.signal, transferList: [port2] });
    await new Promise((resolve) => port1.once("message", resolve));
    abort.abort();
    await running.catch(() => order.push("rejected"));
    await until(() => order.length === 2);
    expect(order).toEqual(["rejected", "port closed"]);
  });

  test("OWN-05: the supervisor settles when the thread is gone", async () => {
    const { pool, events } = createPool();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("loop"), AMPLE_MS);
    await until(() => pool.stats().busy === 1);
    await session.close();
    expect(pool.stats()).toEqual({ workers: 0, busy: 0, queued: 0 });
    await step;
    expect(events.at(-1)).toEqual({ type: "worker-exit", workerId: 1, reason: "aborted" });
  });
});

describe("a thread that dies while it is idle", () => {
  /** The next thread of this process, and the timers of that delay that are set and not cleared. */
  function watch(delayMs: number): { thread: Promise<Worker>; armed: Set<unknown> } {
    const armed = new Set<unknown>();
    const [set, clear] = [setTimeout, clearTimeout];
    vi.spyOn(globalThis, "setTimeout").mockImplementation((action: () => void, ms?: number) => {
      const timer = set(action, ms);
      if (ms === delayMs) armed.add(timer);
      return timer;
    });
    vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
      armed.delete(timer);
      clear(timer);
    });
    return { thread: new Promise((resolve) => process.once("worker", resolve)), armed };
  }

  test("Tinypool: its idle timer stays", async () => {
    const { thread, armed } = watch(600_000);
    const pool = new Tinypool({
      filename: fixture("raw-task.mjs").href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 600_000,
    });
    pools.push(pool);
    expect(await pool.run({ type: "value", value: 2 })).toBe(2);
    expect(armed.size).toBe(1);
    await (await thread).terminate();
    await sleep(20);
    expect(armed.size).toBe(1);
  });

  test("the supervisor clears it", async () => {
    const { thread, armed } = watch(2 ** 31 - 1);
    const task = { type: "compile", language: "typescript", source: "value 1", maxSourceBytes: 100 } as const;
    const started = startThread({ workerUrl: fixture("scripted-worker.mjs") }, task);
    await started.firstResult;
    expect(armed.size).toBe(1);
    await (await thread).terminate();
    await started.exited;
    await until(() => armed.size === 0);
  });
});
