import { expect, test } from "vitest";
import { completed, createPool, runCell, until } from "./pool.js";

const told = (reason: string) => `raw ${JSON.stringify({ type: "fallback", reason })}`;

test("a worker that does without images is told of once per pool", async () => {
  const { pool, events } = createPool();
  expect(await runCell(pool, "fallback no images")).toEqual(completed("1"));
  expect(await runCell(pool, "exit 0")).toMatchObject({ type: "failed" });
  expect(await runCell(pool, "fallback again")).toEqual(completed("1"));
  await until(() => events.length === 4);
  expect(events).toEqual([
    { type: "worker-start", workerId: 1 },
    { type: "runtime-fallback", workerId: 1, reason: "no images" },
    { type: "worker-exit", workerId: 1, reason: "crashed" },
    { type: "worker-start", workerId: 2 },
  ]);
});

test.each([
  ["twice", "fallback once", told("again")],
  ["at length", "value 1", told("x".repeat(201))],
])("SEC-03: a worker that says so %s is ended", async (_name, first, second) => {
  const { pool, events } = createPool();
  await runCell(pool, first);
  expect(await runCell(pool, second)).toMatchObject({ type: "failed", failure: { code: "internal_error" } });
  expect(events.at(-1)).toEqual({ type: "worker-exit", workerId: 1, reason: "malformed" });
});
