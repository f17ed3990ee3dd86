import { expect, test } from "vitest";
import type { CellStep } from "@codemode/protocol";
import { AMPLE_MS, completed, createPool, failed, OPTIONS, runCell, script } from "./pool.js";

const TOO_MANY = {
  ...failed("RangeError: too many requests in one step: 100001, at most 100000.", "invalid_input", "bridge"),
  guestMs: 1,
};
const ROOMY = { ...OPTIONS, limits: { ...OPTIONS.limits, memoryLimitBytes: 64 * 1024 * 1024 } };

test("SEC-03: more requests than one step may bring fail the cell, and its worker goes on", async () => {
  const { pool, events } = createPool();
  const session = pool.openSession(ROOMY);
  expect(await session.start(script("manyRequests 100001"), AMPLE_MS)).toEqual(TOO_MANY);
  await session.close();
  expect(await runCell(pool, "value 2")).toEqual(completed("2"));
  expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
  expect(events).toEqual([{ type: "worker-start", workerId: 1 }]);
});

test("SEC-03: so does a later step", async () => {
  const { pool } = createPool();
  const session = pool.openSession(ROOMY);
  await session.start(script("then manyRequests 100001"), AMPLE_MS);
  expect(await session.deliver({ replies: [] }, AMPLE_MS)).toEqual(TOO_MANY);
});

test("a hundred thousand requests are not too many", async () => {
  const { pool } = createPool();
  const session = pool.openSession(ROOMY);
  const step: CellStep = await session.start(script("manyRequests 100000"), AMPLE_MS);
  expect(step.type === "boundary" && step.requests.length).toBe(100_000);
});

test("OWN-05: a worker that does not give such a cell up is ended", async () => {
  const { pool, events } = createPool();
  const session = pool.openSession(ROOMY);
  expect(await session.start(script("deafRequests 100001"), AMPLE_MS)).toEqual(TOO_MANY);
  expect(events.at(-1)).toEqual({ type: "worker-exit", workerId: 1, reason: "aborted" });
});
