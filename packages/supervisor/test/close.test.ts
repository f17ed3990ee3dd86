import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  ABORTED,
  AMPLE_MS,
  createPool,
  fixture,
  openAtBoundary,
  OPTIONS,
  runCell,
  script,
  shareCounter,
  sleep,
  until,
} from "./pool.js";

describe("OWN-06: closing the pool", () => {
  test("ends every session and thread, whatever they do", async () => {
    const { pool, events } = createPool({ maxWorkers: 3 });
    const counter = shareCounter();
    const waiting = await openAtBoundary(pool, "value 1");
    await runCell(pool, "value 2");
    const running = pool.openSession(OPTIONS).start(script("count"), AMPLE_MS);
    await until(() => Atomics.load(counter, 0) > 0);
    const deaf = pool.openSession(OPTIONS).start(script("deaf"), AMPLE_MS);
    await until(() => pool.stats().busy === 3);
    const queued = runCell(pool, "value 3");
    const compiling = runCell(pool, "compileLoop");
    await Promise.all([pool.close(), pool.close()]);

    const count = Atomics.load(counter, 0);
    expect(pool.stats()).toEqual({ workers: 0, busy: 0, queued: 0 });
    expect(await Promise.all([running, deaf, queued, compiling])).toEqual([ABORTED, ABORTED, ABORTED, ABORTED]);
    expect(await waiting.deliver({ replies: [] }, AMPLE_MS)).toEqual(ABORTED);
    const exits = events.filter((event) => event.type === "worker-exit").map((event) => event.reason);
    expect(exits).toEqual(["closed", "closed", "closed"]);
    await sleep(50);
    expect(Atomics.load(counter, 0)).toBe(count);
  });

  test("also while workers start", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    const cells = [runCell(pool, "value 1"), runCell(pool, "compile a")];
    await pool.close();
    expect(await Promise.all(cells)).toEqual([ABORTED, ABORTED]);
    expect(pool.stats().workers).toBe(0);
  });

  test("nothing can be started afterwards", async () => {
    const { pool } = createPool();
    const opened = pool.openSession(OPTIONS);
    await pool.close();
    expect(await opened.start(script("value 1"), AMPLE_MS)).toEqual(ABORTED);
    expect(() => pool.openSession(OPTIONS)).toThrow(expect.objectContaining({ code: "closed" }));
    await expect(pool.prewarm()).rejects.toMatchObject({ code: "closed", message: "The executor was closed." });
  });

  test("a prewarm under way is told", async () => {
    const { pool } = createPool();
    const prewarm = expect(pool.prewarm({ typescript: true })).rejects.toMatchObject({ code: "closed" });
    await pool.close();
    await prewarm;
  });
});

describe("OWN-06: the process", () => {
  test.each([
    ["exits by itself after close", "close", "2\nclosed\n"],
    ["exits by itself with an idle pool that nobody closed", "leave", "2\n"],
    ["exits by itself with a prewarmed pool that nobody closed", "prewarm", "warm\n"],
    ["stays while a cell waits for a worker, runs, or compiles", "compile", "compiled\n"],
    ["exits by itself after workers crashed and nobody closed", "leaveCrashed", "runtime_unavailable\n"],
    ["stays until close has settled after a crash", "crash", "runtime_unavailable\nruntime_unavailable\nclosed\n"],
  ])("%s", async (_name, story, printed) => {
    const host = fileURLToPath(fixture("host.mjs"));
    const args = ["--import", "tsx", "--conditions", "@codemode/source", host, story];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: AMPLE_MS });
    expect({ stdout, stderr }).toEqual({ stdout: printed, stderr: "" });
  });
});
