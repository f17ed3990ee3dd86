import { describe, expect, test } from "vitest";
import type { CellStep } from "@codemode/protocol";
import type { Supervisor } from "../src/index.js";
import {
  AMPLE_MS,
  completed,
  createPool,
  failed,
  openAtBoundary,
  OVERRUN,
  runCell,
  until,
  WORKER_LOST,
} from "./pool.js";

/** Time for what is meant to come back at once, and for what never comes back. */
const [AMPLE, SHORT] = [AMPLE_MS, 200];
const BROKEN = failed(
  "WorkerError: the worker broke the message protocol: a message of unknown shape.",
  "internal_error",
  "host",
);
const COMPILER_LOST = failed(
  "WorkerError: the thread that compiles TypeScript ended or could not be started.",
  "runtime_unavailable",
  "host",
);
const COMPILE_TIMEOUT = failed("TimeoutError: the deadline passed while the source was compiled.", "timeout", "guest");

/** Brings a cell to the middle of a command, where its worker does what `verb` says. */
const COMMANDS: Record<string, (pool: Supervisor, verb: string, remainingMs: number) => Promise<CellStep>> = {
  start: (pool, verb, remainingMs) => runCell(pool, verb, remainingMs),
  async deliver(pool, verb, remainingMs) {
    const session = await openAtBoundary(pool, verb);
    return session.deliver({ replies: [] }, remainingMs);
  },
  async park(pool, verb, remainingMs) {
    const session = await openAtBoundary(pool, verb);
    return session.park(remainingMs);
  },
};

const FAULTS = [
  { does: "dies", verb: "exit 1", remainingMs: AMPLE, outcome: WORKER_LOST, reason: "crashed" },
  { does: "crashes", verb: "crash", remainingMs: AMPLE, outcome: WORKER_LOST, reason: "crashed" },
  { does: "closes its port", verb: "closePort", remainingMs: AMPLE, outcome: WORKER_LOST, reason: "crashed" },
  { does: "hangs", verb: "loop", remainingMs: SHORT, outcome: OVERRUN, reason: "deadline" },
  { does: "does not answer", verb: "deaf", remainingMs: SHORT, outcome: OVERRUN, reason: "deadline" },
  { does: "answers nonsense", verb: "raw 42", remainingMs: AMPLE, outcome: BROKEN, reason: "malformed" },
  { does: "floods with nonsense", verb: "floodForever", remainingMs: AMPLE, outcome: BROKEN, reason: "malformed" },
  { does: "answers 20,000 times", verb: "flood", remainingMs: AMPLE, outcome: completed("1"), reason: "malformed" },
];

describe.each(Object.keys(COMMANDS))("LIM-09, SEC-03: a fault in the middle of %s costs one cell", (command) => {
  test.each(FAULTS)("a worker that $does", async ({ verb, remainingMs, outcome, reason }) => {
    const { pool, events } = createPool({ maxWorkers: 2 });
    await pool.prewarm();
    const untouched = await openAtBoundary(pool, "value 1");
    // The second worker is there before the cell whose deadline is short.
    expect(await runCell(pool, "value 2")).toEqual(completed("2"));
    expect(await COMMANDS[command]?.(pool, verb, remainingMs)).toEqual(outcome);
    await until(() => events.some(({ type }) => type === "worker-exit"));
    expect(events.filter(({ type }) => type === "worker-exit")).toEqual([{ type: "worker-exit", workerId: 2, reason }]);
    expect(await runCell(pool, "value 3")).toEqual(completed("3"));
    expect(await untouched.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
    expect(pool.stats()).toEqual({ workers: 2, busy: 0, queued: 0 });
  });
});

describe("LIM-09: a fault in the middle of compiling costs the cells that wait for that source", () => {
  test.each([
    ["dies", "compileExit", AMPLE, COMPILER_LOST],
    ["throws", "compileThrow", AMPLE, COMPILER_LOST],
    ["answers nonsense", "compileNonsense", AMPLE, COMPILER_LOST],
    ["hangs", "compileLoop", SHORT, COMPILE_TIMEOUT],
  ])("a compile thread that %s", async (_what, source, remainingMs, outcome) => {
    const { pool, events } = createPool();
    await pool.prewarm({ typescript: true });
    const untouched = await openAtBoundary(pool, "value 1");
    expect(await runCell(pool, source, remainingMs)).toEqual(outcome);
    expect(await untouched.deliver({ replies: [] }, AMPLE_MS)).toEqual(completed("1"));
    expect(await runCell(pool, "compile a")).toMatchObject({ type: "completed" });
    expect(events).toEqual([{ type: "worker-start", workerId: 1 }]);
  });
});

test("LIM-01: the host stays responsive while a worker floods it", async () => {
  const { pool } = createPool();
  await pool.prewarm();
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 5);
  for (let cell = 0; cell < 3; cell++) expect(await runCell(pool, "floodForever")).toEqual(BROKEN);
  const endsAt = performance.now() + 100;
  await until(() => performance.now() > endsAt);
  clearInterval(ticker);
  expect(ticks).toBeGreaterThan(10);
});
