import { expect, test } from "vitest";
import type { CellSession, CellStart, ParkedCell } from "@codemode/protocol";
import type { Supervisor } from "../src/index.js";
import { AMPLE_MS, completed, createPool, failed, NO_OUTPUT, OPTIONS, script, sleep, until } from "./pool.js";

const QUEUE_TIMEOUT = "TimeoutError: the deadline passed while the cell waited for a worker.";

/** Sessions at a boundary that note who is asked to park. */
function createSessions(pool: Supervisor) {
  const asked: string[] = [];
  const open = async (name: string, rest: string): Promise<CellSession> => {
    const session = pool.openSession({ ...OPTIONS, onPressure: () => asked.push(name) });
    expect((await session.start(script(`then ${rest}`), AMPLE_MS)).type).toBe("boundary");
    return session;
  };
  return { asked, open };
}

function parkedStart(parked: ParkedCell): CellStart {
  return { type: "parked", parked, surface: { fingerprint: "", tools: [], mcp: [], apiFiles: [] }, replies: [] };
}

test("WAIT-12: a queued cell makes the one idle longest park, gets its worker, and the parked one goes on later", async () => {
  const { pool, events } = createPool({ maxWorkers: 2 });
  const { asked, open } = createSessions(pool);
  const first = await open("first", "park 256");
  await open("second", "park 256");
  const queued = pool.openSession(OPTIONS).start(script("value 3"), AMPLE_MS);
  await until(() => asked.length > 0);
  expect(pool.stats()).toEqual({ workers: 2, busy: 2, queued: 1 });
  const step = await first.park(AMPLE_MS, 1024);
  if (step.type !== "parked") throw new Error(`expected a parked cell, got ${step.type}`);
  expect(await queued).toEqual(completed("3"));
  expect(await pool.openSession(OPTIONS).start(parkedStart(step.parked), AMPLE_MS)).toMatchObject({
    type: "completed",
  });
  expect([asked, events.length]).toEqual([["first"], 2]);
});

test("no cell is asked while a worker is free, can be started, or while nobody queues", async () => {
  const { pool } = createPool({ maxWorkers: 3 });
  const { asked, open } = createSessions(pool);
  await open("first", "park 256");
  await open("second", "park 256");
  expect(await pool.openSession(OPTIONS).start(script("value 1"), AMPLE_MS)).toEqual(completed("1"));
  expect(await pool.openSession(OPTIONS).start(script("value 2"), AMPLE_MS)).toEqual(completed("2"));
  await sleep(20);
  expect(asked).toEqual([]);
});

test("a cell with a step under way is not asked", async () => {
  const { pool } = createPool();
  await pool.prewarm();
  const asked: number[] = [];
  const session = pool.openSession({ ...OPTIONS, onPressure: () => asked.push(1) });
  const started = session.start(script("patient"), AMPLE_MS);
  const queued = pool.openSession(OPTIONS).start(script("value 1"), AMPLE_MS);
  await sleep(50);
  expect([asked, pool.stats().queued]).toEqual([[], 1]);
  await session.close();
  expect(await started).toEqual(failed("AbortError: the cell was aborted.", "aborted", "host"));
  expect(await queued).toEqual(completed("1"));
});

test("WAIT-12: a cell too large to park stays live, is not asked again there, and the next one is", async () => {
  const { pool } = createPool({ maxWorkers: 2 });
  const { asked, open } = createSessions(pool);
  const large = await open("large", "tooLarge value 1");
  const small = await open("small", "park 256");
  const queued = pool.openSession(OPTIONS).start(script("value 3"), AMPLE_MS);
  await until(() => asked.length > 0);
  expect(await large.park(AMPLE_MS, 1)).toEqual({
    type: "refused",
    failure: { message: "too large: 1", code: "snapshot_limit_exceeded", phase: "host" },
    output: NO_OUTPUT,
    guestMs: 1,
  });
  await until(() => asked.length > 1);
  expect((await small.park(AMPLE_MS)).type).toBe("parked");
  expect(await queued).toEqual(completed("3"));
  expect(asked).toEqual(["large", "small"]);
  expect(await large.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
  expect(pool.stats()).toEqual({ workers: 2, busy: 0, queued: 0 });
});

test("WAIT-12: once a cell has left its worker for a queued one, the next park at their boundaries, if there is room", async () => {
  const { pool } = createPool();
  const { open } = createSessions(pool);
  const rooms: number[] = [];
  const start = (name: string, bytes: number, source = "then value 1") => {
    const roomToPark = () => (rooms.push(bytes), bytes);
    const session = pool.openSession({ ...OPTIONS, onPressure: () => {}, roomToPark });
    return session.start(script(source), AMPLE_MS);
  };
  const first = await open("first", "park 256");
  const queued = [
    start("no room", 0, "value 2"),
    start("one", 512),
    start("hog", 32, "parkAnyway 64"),
    start("last", 512),
  ];
  await until(() => pool.stats().queued === 4);
  expect((await first.park(AMPLE_MS)).type).toBe("parked");
  const [two, one, hog, last] = await Promise.all(queued);
  expect(two).toEqual(completed("2"));
  expect(one).toMatchObject({ type: "boundary", parked: { snapshot: { bytes: 64 } } });
  expect(hog).toMatchObject({
    failure: { message: expect.stringContaining("a cell that parked with 64 bytes, at most 32") as string },
  });
  // Nobody queues behind the last one.
  expect([last?.type, last !== undefined && "parked" in last]).toEqual(["boundary", false]);
  expect(rooms).toEqual([0, 512, 32]);
  expect(pool.stats()).toMatchObject({ busy: 1, queued: 0 });
});

test("a session whose cell parked at once is over", async () => {
  const { pool } = createPool();
  const { open } = createSessions(pool);
  const first = await open("first", "park 256");
  const session = pool.openSession({ ...OPTIONS, roomToPark: () => 512 });
  const parkedAtOnce = session.start(script("then value 1"), AMPLE_MS);
  const next = pool.openSession(OPTIONS).start(script("value 3"), AMPLE_MS);
  await until(() => pool.stats().queued === 2);
  await first.park(AMPLE_MS);
  const step = await parkedAtOnce;
  if (step.type !== "boundary" || step.parked === undefined)
    throw new Error(`expected a parked boundary, got ${step.type}`);
  expect(await next).toEqual(completed("3"));
  await expect(session.deliver({ replies: [] }, AMPLE_MS)).rejects.toThrow(
    "deliver was called after the cell had ended.",
  );
  await session.close();
  expect(await pool.openSession(OPTIONS).start(parkedStart(step.parked), AMPLE_MS)).toMatchObject({
    type: "completed",
  });
});

test("a cell that goes on instead of parking can be asked at its next boundary", async () => {
  const { pool } = createPool();
  const { asked, open } = createSessions(pool);
  const session = await open("cell", "then park 256");
  const queued = pool.openSession(OPTIONS).start(script("value 1"), AMPLE_MS);
  await until(() => asked.length === 1);
  expect((await session.deliver({ replies: [] }, AMPLE_MS)).type).toBe("boundary");
  await until(() => asked.length === 2);
  await session.park(AMPLE_MS);
  expect(await queued).toEqual(completed("1"));
});

test("a cell that goes on in the same turn is not asked at all", async () => {
  const { pool } = createPool();
  const { asked, open } = createSessions(pool);
  const session = await open("cell", "value 1");
  const queued = pool.openSession(OPTIONS).start(script("value 2"), AMPLE_MS);
  const delivered = session.deliver({ replies: [] }, AMPLE_MS);
  expect(await Promise.all([delivered, queued])).toEqual([completed("1"), completed("2")]);
  expect(asked).toEqual([]);
});

test("a session that listens to nobody keeps its worker, and the queue keeps its deadline", async () => {
  const { pool } = createPool();
  const session = pool.openSession(OPTIONS);
  await session.start(script("then value 1"), AMPLE_MS);
  expect(await pool.openSession(OPTIONS).start(script("value 2"), 50)).toEqual(
    failed(QUEUE_TIMEOUT, "timeout", "guest"),
  );
  expect(await session.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
});

test("WAIT-12: a start that no worker is free for in time is refused, and nothing of it has run", async () => {
  const { pool } = createPool();
  const { open } = createSessions(pool);
  const session = await open("cell", "value 1");
  const refused = pool.openSession(OPTIONS);
  const failure = { message: QUEUE_TIMEOUT, code: "timeout", phase: "guest" };
  expect(await refused.start(script("value 2"), AMPLE_MS, 30)).toEqual({
    type: "refused",
    failure,
    output: NO_OUTPUT,
    guestMs: 0,
  });
  await expect(refused.deliver({ replies: [] }, AMPLE_MS)).rejects.toThrow(
    "deliver was called after the cell had ended.",
  );
  await refused.close();
  await session.close();
  expect(await pool.openSession(OPTIONS).start(script("value 3"), AMPLE_MS, 0)).toEqual(completed("3"));
});

test("a worker that refuses anything but a park is ended", async () => {
  const { pool, events } = createPool();
  const step = await pool.openSession(OPTIONS).start(script("tooLarge value 1"), AMPLE_MS);
  expect(step).toEqual(
    failed("WorkerError: the worker broke the message protocol: a refusal to start.", "internal_error", "host"),
  );
  await until(() => events.length === 2);
  expect(events[1]).toEqual({ type: "worker-exit", workerId: 1, reason: "malformed" });
});
