import { describe, expect, test } from "vitest";
import {
  AMPLE_MS,
  completed,
  createPool,
  failed,
  NO_OUTPUT,
  openAtBoundary,
  OPTIONS,
  runCell,
  script,
  until,
} from "./pool.js";

const broken = (fault: string) =>
  failed(`WorkerError: the worker broke the message protocol: ${fault}.`, "internal_error", "host");

const step = {
  type: "step",
  cell: 2,
  step: 1,
  result: { type: "completed", value: { bytes: 1, isComplete: true }, output: NO_OUTPUT, guestMs: 0 },
};

describe("SEC-03: messages of a worker are not trusted", () => {
  test.each([
    ["an unknown shape", "raw 42", "a message of unknown shape"],
    ["an unknown type", 'head {"type":"other"}', "a message of unknown shape"],
    ["a head that is not JSON", "head {", "a message of unknown shape"],
    ["an object instead of a list", 'raw {"type":"ready"}', "a message of unknown shape"],
    ["parts that the head does not name", 'raw ["{\\"type\\":\\"ready\\"}", "part"]', "a message of unknown shape"],
    ["a head without its parts", `head ${JSON.stringify(step)}`, "a message of unknown shape"],
    ["a result of unknown shape", "badResult", "a message of unknown shape"],
    ["a memory that is not bytes", "noMemory", "snapshot memory that is not bytes"],
    ["a memory that is compressed", "compressed", "compressed snapshot memory"],
    ["another cell", "staleCell", "a report on cell 1, which is not open"],
    ["another step", "staleStep", "an answer to step 2, which is not open"],
    ["an end nobody asked for", "unaskedEnd", "ended without being asked"],
    ["ready again", 'head {"type":"ready"}', "ready twice"],
    ["more requests than fit in the memory", "manyRequests 100001", "1600016 characters in one step, at most 1572864"],
    ["too much text", "longText 1600000", "1600000 characters in one step, at most 1572864"],
    ["too large a snapshot", "park 1048577", "a snapshot of 1048577 bytes, at most 1048576"],
    ["a cell that it parked unasked", "parkAnyway 8", "a cell that parked unasked"],
    ["memory it could still change", "sharedMemory", "snapshot memory that is not bytes"],
  ])("%s ends the cell and the worker", async (_name, source, fault) => {
    const { pool, events } = createPool();
    await runCell(pool, "value 1");
    expect(await runCell(pool, source)).toEqual(broken(fault));
    expect(await runCell(pool, "value 3")).toEqual(completed("3"));
    expect(events).toEqual([
      { type: "worker-start", workerId: 1 },
      { type: "worker-exit", workerId: 1, reason: "malformed" },
      { type: "worker-start", workerId: 2 },
    ]);
  });

  test("a second answer ends the cell at its boundary", async () => {
    const { pool, events } = createPool();
    const session = await openAtBoundary(pool, "twice");
    expect((await session.deliver({ replies: [] }, AMPLE_MS)).type).toBe("boundary");
    await until(() => events.some((event) => event.type === "worker-exit"));
    expect(await session.deliver({ replies: [] }, AMPLE_MS)).toEqual(broken("an answer to step 2, which is not open"));
  });

  test.each(["completedTwice", "flood"])(
    "a second answer after the cell's end is not the next cell's: %s",
    async (source) => {
      const { pool, events } = createPool();
      expect(await runCell(pool, source)).toEqual(completed("1"));
      await until(() => events.some((event) => event.type === "worker-exit"));
      expect(events.at(-1)).toEqual({ type: "worker-exit", workerId: 1, reason: "malformed" });
      expect(await runCell(pool, "value 3")).toEqual(completed("3"));
    },
  );

  test("an answer to an ended session is not the next cell's", async () => {
    const { pool } = createPool();
    const session = pool.openSession(OPTIONS);
    const step = session.start(script("slow 50"), AMPLE_MS);
    await until(() => pool.stats().busy === 1);
    await session.close();
    await step;
    const next = await runCell(pool, "slow 100");
    expect(next).toEqual(broken("a report on cell 1, which is not open"));
  });
});
