import { describe, expect, test } from "vitest";
import type { CellStart, PreparedSource } from "@codemode/protocol";
import { AMPLE_MS, completed, createPool, NO_OUTPUT, openAtBoundary, OPTIONS, runCell, script } from "./pool.js";

describe("a cell's life", () => {
  test("a cell completes and its worker takes the next one", async () => {
    const { pool, events } = createPool();
    expect(await runCell(pool, "value 1")).toEqual(completed("1"));
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
    expect(events).toEqual([{ type: "worker-start", workerId: 1 }]);
  });

  test("a guest failure ends the cell and not the worker", async () => {
    const { pool } = createPool();
    const failure = { message: "Error: guest", phase: "guest" };
    expect(await runCell(pool, "fail")).toEqual({ type: "failed", failure, output: NO_OUTPUT, guestMs: 1 });
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(pool.stats().workers).toBe(1);
  });

  test("commands carry the cell's number, rising steps, limits and what is left of the budget", async () => {
    const { pool } = createPool();
    await runCell(pool, "value 1");
    const session = await openAtBoundary(pool, "then echo");
    await session.deliver({ replies: [{ id: 1, ok: true, value: "1" }] }, 4000);
    const step = await session.deliver({ replies: [], cancelled: [7] }, 3000);
    const command = { type: "deliver", delivery: { replies: [], cancelled: [7] }, cell: 2, step: 3, remainingMs: 3000 };
    expect(step).toEqual(completed(JSON.stringify(command)));
  });

  test("a parked cell ends its session and goes on in another with its memory alone", async () => {
    const { pool } = createPool();
    const session = await openAtBoundary(pool, "park 256");
    const step = await session.park(AMPLE_MS);
    if (step.type !== "parked") throw new Error(`expected a parked cell, got ${step.type}`);
    const { memory, ...snapshot } = step.parked.snapshot;
    expect(memory).toEqual(new Uint8Array(256));
    const places = { stackPointer: 1, runtimePtr: 1, contextPtr: 1, channelToken: 1, checksum: 0 };
    expect(snapshot).toEqual({ formatVersion: 1, engine: "engine", ...places, bytes: 256 });
    expect(pool.stats().busy).toBe(0);

    const view = new Uint8Array(new ArrayBuffer(1024), 64, 256);
    const parked = { ...step.parked, snapshot: { ...step.parked.snapshot, memory: view } };
    const start: CellStart = {
      type: "parked",
      parked,
      surface: { fingerprint: "", tools: [], mcp: [], apiFiles: [] },
      replies: [],
    };
    const resumed = await pool.openSession(OPTIONS).start(start, AMPLE_MS);
    expect(resumed).toMatchObject({
      type: "completed",
      value: { text: expect.stringContaining('"memory":256}') as string },
    });
    // A store's bytes stay the store's.
    expect(view.byteLength).toBe(256);
  });

  test("a cell at a boundary keeps its worker and no timer runs", async () => {
    const { pool } = createPool({ maxWorkers: 2 });
    const waiting = await openAtBoundary(pool, "value 1");
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(pool.stats()).toEqual({ workers: 2, busy: 1, queued: 0 });
    expect(await waiting.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
    expect(pool.stats().busy).toBe(0);
  });

  test("prepared TypeScript goes to the worker, JavaScript is prepared there", async () => {
    const { pool } = createPool();
    const start: CellStart = { ...script("prepared"), language: "typescript" } as CellStart;
    const prepared: PreparedSource = { language: "typescript", submitted: "prepared", code: "2", insertions: [] };
    expect(await pool.openSession(OPTIONS).start(start, AMPLE_MS)).toEqual(completed(JSON.stringify(prepared)));
    expect(await runCell(pool, "prepared")).toEqual(completed("null"));
  });

  test("SEC-01: a worker sees neither the environment nor the flags of the host", async () => {
    const { pool } = createPool();
    expect(await runCell(pool, "process")).toEqual(completed('{"env":[],"execArgv":[]}'));
  });
});

describe("misuse is thrown", () => {
  test("steps out of turn", async () => {
    const { pool } = createPool();
    const session = pool.openSession(OPTIONS);
    await expect(session.park(AMPLE_MS)).rejects.toThrow("park was called before start.");
    const first = session.start(script("then then value 1"), AMPLE_MS);
    await expect(session.park(AMPLE_MS)).rejects.toThrow("park was called while a step is under way.");
    await expect(session.start(script("value 1"), AMPLE_MS)).rejects.toThrow(
      "start was called before; a session runs one cell.",
    );
    await first;
    await expect(session.deliver({ replies: [] }, Number.NaN)).rejects.toThrow(
      "deliver needs a finite number of milliseconds.",
    );
    expect((await session.deliver({ replies: [] }, AMPLE_MS)).type).toBe("boundary");
    expect(await session.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
    await expect(session.deliver({ replies: [] }, AMPLE_MS)).rejects.toThrow(
      "deliver was called after the cell had ended.",
    );
  });

  test("values that no thread can receive; the worker goes on", async () => {
    const { pool } = createPool();
    const session = pool.openSession(OPTIONS);
    const start = script("value 1", { tools: [1n as never] });
    await expect(session.start(start, AMPLE_MS)).rejects.toMatchObject({
      code: "invalid_argument",
      message: "start holds a value that cannot be sent to a worker thread.",
    });
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
  });

  test("options out of range", () => {
    expect(() => createPool({ maxWorkers: 0 })).toThrow("maxWorkers must be a whole number from 1 to 1024, got 0.");
    expect(() => createPool({ maxWorkers: 2, minWorkers: 3 })).toThrow(
      "minWorkers must be a whole number from 0 to 2, got 3.",
    );
    expect(() => createPool({ idleTimeoutMs: -1 })).toThrow(
      "idleTimeoutMs must be a whole number from 0 to 2147483647, got -1.",
    );
    expect(() => createPool({ workerUrl: new URL("https://example.com/w.js") })).toThrow(
      "workerUrl must be a file: URL, got an object.",
    );
  });
});
