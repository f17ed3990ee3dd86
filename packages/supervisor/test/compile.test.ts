import { describe, expect, test } from "vitest";
import type { CellStart, CellStep } from "@codemode/protocol";
import { ABORTED, AMPLE_MS, createPool, failed, fixture, OPTIONS, runCell, script, sleep } from "./pool.js";

const TIMEOUT = failed("TimeoutError: the deadline passed while the source was compiled.", "timeout", "guest");
const TOO_LONG = failed(
  "TimeoutError: the source took too long to compile while other sources waited.",
  "timeout",
  "guest",
);
const UNAVAILABLE = failed(
  "WorkerError: the thread that compiles TypeScript ended or could not be started.",
  "runtime_unavailable",
  "host",
);

/** Which compile of its thread's life gave the code; the warm-up is number 1. */
async function compileNumber(step: Promise<CellStep>): Promise<number> {
  const result = await step;
  if (result.type !== "completed") throw new Error(`expected a completed cell, got ${JSON.stringify(result)}`);
  return Number((JSON.parse(result.value.text) as { code: string }).code);
}

describe("TypeScript is compiled on one thread of its own", () => {
  test("the worker gets the compiled source; the same text is compiled once", async () => {
    const { pool } = createPool();
    expect(await compileNumber(runCell(pool, "compile a"))).toBe(2);
    expect(await compileNumber(runCell(pool, "compile a"))).toBe(2);
    expect(await compileNumber(runCell(pool, "compile b"))).toBe(3);
    expect(pool.stats().workers).toBe(1);
  });

  test("cells that ask for the same text at once share one compile", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    const cells = [runCell(pool, "compileSlow 50"), runCell(pool, "compileSlow 50"), runCell(pool, "compile b")];
    expect(await Promise.all(cells.map(compileNumber))).toEqual([2, 2, 3]);
  });

  test("TS-02: a refusal is an input failure with its place, also from the cache, and holds no worker", async () => {
    const { pool } = createPool();
    const failure = {
      message: "SyntaxError: no",
      code: "invalid_input",
      phase: "input",
      location: { line: 1, column: 2 },
    };
    const refused = { type: "failed", failure, output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };
    expect(await runCell(pool, "compileRefuse")).toEqual(refused);
    expect(await runCell(pool, "compileRefuse")).toEqual(refused);
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
  });

  test("LIM-10: a compile that outlives the budget is a timeout and the thread is replaced", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    expect(await compileNumber(runCell(pool, "compile a"))).toBe(2);
    expect(await runCell(pool, "compileLoop", 200)).toEqual(TIMEOUT);
    expect(await compileNumber(runCell(pool, "compile b"))).toBe(2);
  });

  test("LIM-10: the worker is told what waiting and compiling left of the budget", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    const first = runCell(pool, "compileSlow 200");
    const start: CellStart = { ...script("echo"), language: "typescript" } as CellStart;
    const step = await pool.openSession(OPTIONS).start(start, 10_000);
    await first;
    if (step.type !== "completed") throw new Error(`expected a completed cell, got ${step.type}`);
    const { remainingMs } = JSON.parse(step.value.text) as { remainingMs: number };
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(9_850);
  });

  test("LIM-10: waiting for another compile spends the budget", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    const first = runCell(pool, "compileSlow 300");
    expect(await runCell(pool, "compile b", 50)).toEqual(TIMEOUT);
    expect(await compileNumber(first)).toBe(2);
  });

  test("LIM-10: the worker is told what compiling left of the budget", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    const step = await runCell(pool, "compileEcho 150", 10_000);
    if (step.type !== "completed") throw new Error(`expected a completed cell, got ${step.type}`);
    const { remainingMs } = JSON.parse(step.value.text) as { remainingMs: number };
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(9_850);
  });

  test("a short budget does not end the thread while it loads the compiler", async () => {
    const { pool } = createPool();
    expect(await runCell(pool, "compile a", 1)).toEqual(TIMEOUT);
    expect(await compileNumber(runCell(pool, "compile b"))).toBe(2);
  });

  test.each(["compileExit", "compileThrow", "compileNonsense"])(
    "LIM-09: %s fails the cell, the next one compiles",
    async (source) => {
      const { pool } = createPool();
      expect(await runCell(pool, source)).toEqual(UNAVAILABLE);
      expect(await compileNumber(runCell(pool, "compile a"))).toBe(2);
    },
  );

  test.each(["broken-import.mjs", "exit-at-start.mjs", "no-engine.mjs"])(
    "LIM-09: %s: every cell is told",
    async (name) => {
      const { pool } = createPool({ workerUrl: fixture(name) });
      expect(await Promise.all([runCell(pool, "compile a"), runCell(pool, "compile b")])).toEqual([
        UNAVAILABLE,
        UNAVAILABLE,
      ]);
    },
  );

  test("OWN-05: once nobody waits for a compile it stops, running or queued, and the next one starts", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    const sessions = ["compileLoop", "compileLoop", "compileLoop 2"].map((source) => {
      const session = pool.openSession(OPTIONS);
      return { session, step: session.start(script(source), AMPLE_MS) };
    });
    const next = runCell(pool, "compile a");
    await sleep(20);
    for (const { session, step } of sessions) {
      await session.close();
      expect(await step).toEqual(ABORTED);
    }
    // A turn was not over: the jobs went with the last of those who waited.
    expect(await compileNumber(next)).toBe(2);
    const again = pool.openSession(OPTIONS);
    const looping = again.start(script("compileLoop"), AMPLE_MS);
    await sleep(20);
    await again.close();
    expect(await looping).toEqual(ABORTED);
  });

  test("a compile goes on while one of those who asked for it still waits", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    const first = pool.openSession(OPTIONS);
    const aborted = first.start(script("compileSlow 200"), AMPLE_MS);
    const second = runCell(pool, "compileSlow 200");
    await sleep(20);
    await first.close();
    expect(await aborted).toEqual(ABORTED);
    expect(await compileNumber(second)).toBe(2);
  });

  test("LIM-10: a source that takes for ever gives way to others, twice, and then fails", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    await pool.prewarm({ typescript: true });
    let hasFailed = false;
    const endless = runCell(pool, "compileLoop").finally(() => (hasFailed = true));
    expect(await compileNumber(runCell(pool, "compile a"))).toBe(2);
    expect(hasFailed).toBe(false);
    expect(await compileNumber(runCell(pool, "compile b"))).toBe(2);
    expect(await endless).toEqual(TOO_LONG);
  });

  test("a slow compile that gave way is done when nobody else waits", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    await pool.prewarm({ typescript: true });
    const slow = runCell(pool, "compileSlow 1300");
    expect(await compileNumber(runCell(pool, "compile a"))).toBe(2);
    expect(await compileNumber(slow)).toBe(3);
  });

  test("closing a session does not wait for its compile", async () => {
    const { pool } = createPool();
    await pool.prewarm({ typescript: true });
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("compileLoop"), AMPLE_MS);
    await sleep(20);
    await session.close();
    expect(await step).toEqual(ABORTED);
  });
});
