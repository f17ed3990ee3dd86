import { describe, expect, test } from "vitest";
import {
  AMPLE_MS,
  createExecutor,
  failureOf,
  openAtBoundary,
  OPTIONS,
  repliesTo,
  runCell,
  SURFACE,
  valueOf,
} from "./executor.js";

const { executor, events } = createExecutor();

describe("cells on real workers", () => {
  test("EXEC-04: calls are joined, looped over and run in parallel inside one cell", async () => {
    const source = `
      const first = await echo({ n: 1 });
      const rest = await Promise.all([2, 3].map((n) => echo({ n })));
      return [first, ...rest].map(({ n }) => n);`;
    expect(valueOf(await runCell(executor, source))).toEqual([1, 2, 3]);
  });

  test("EXEC-13: each cell starts fresh on the same worker", async () => {
    await runCell(executor, "globalThis.left = 1; Array.prototype.left = 1; return 1;");
    expect(valueOf(await runCell(executor, "return [typeof left, [].left === undefined]"))).toEqual([
      "undefined",
      true,
    ]);
    const first = valueOf(await runCell(executor, "return Math.random()"));
    expect(valueOf(await runCell(executor, "return Math.random()"))).not.toBe(first);
    expect(events).toEqual([{ type: "worker-start", workerId: 1 }]);
  });

  test("TS-01: TypeScript cells run", async () => {
    const source = "enum Size { S = 1, L }\nconst pick = <T,>(value: T): T => value;\nreturn pick<Size>(Size.L);";
    expect(valueOf(await runCell(executor, source, { language: "typescript" }))).toBe(2);
  });

  test("EXEC-10: an uncaught error has its place in the submitted source, JavaScript and TypeScript alike", async () => {
    const javascript = "const ä = 1;\n  throw new TypeError('no');";
    // The engine names the place of the constructor's name.
    expect(failureOf(await runCell(executor, javascript))).toEqual({
      message: "TypeError: no",
      phase: "guest",
      location: { line: 2, column: 13 },
    });
    const typescript = "interface A { a: number }\nconst a: A = { a: 1 };\n  throw new TypeError('no' as string);";
    expect(failureOf(await runCell(executor, typescript, { language: "typescript" }))).toEqual({
      message: "TypeError: no",
      phase: "guest",
      location: { line: 3, column: 13 },
    });
  });

  test("SRC-01, TS-02: a refused source is an input failure with its place", async () => {
    for (const language of ["javascript", "typescript"] as const) {
      const imported = await runCell(executor, "const fs = await import('node:fs');", { language });
      expect(failureOf(imported)).toMatchObject({
        message: expect.stringMatching(/^code mode module access is disabled\./) as string,
        code: "invalid_input",
        phase: "input",
        location: { line: 1, column: 18 },
      });
      const broken = await runCell(executor, "const a = ;", { language });
      expect(failureOf(broken)).toMatchObject({
        code: "invalid_input",
        phase: "input",
        location: { line: 1, column: 11 },
      });
    }
  });

  test.each(["javascript", "typescript"] as const)("maxSourceBytes holds for %s", async (language) => {
    const session = { limits: { ...OPTIONS.limits, maxSourceBytes: 1024 } };
    const source = `return "${"é".repeat(600)}".length`;
    expect(valueOf(await runCell(executor, source, { language }))).toBe(600);
    expect(failureOf(await runCell(executor, source, { language, session }))).toMatchObject({
      message: expect.stringMatching(/^The source is longer than 1024 bytes/) as string,
      code: "invalid_input",
      phase: "input",
    });
  });
});

describe("parked cells", () => {
  test("a cell parked on one worker resumes on another, nothing is called twice", async () => {
    const first = createExecutor().executor;
    const [session, boundary] = await openAtBoundary(
      first,
      "const seen = [1]; seen.push((await echo({ n: 2 })).n); seen.push((await echo({ n: 3 })).n); return seen;",
    );
    const replies = repliesTo(boundary);
    const step = await session.park(AMPLE_MS);
    if (step.type !== "parked") throw new Error(`expected a parked cell, got ${JSON.stringify(step)}`);
    await first.close();

    const resumed = executor.openSession(OPTIONS);
    const next = await resumed.start({ type: "parked", parked: step.parked, surface: SURFACE, replies }, AMPLE_MS);
    expect(next).toMatchObject({ type: "boundary", requests: [{ method: "call", input: '{"n":3}' }] });
    expect(valueOf(await resumed.deliver({ replies: repliesTo(next) }, AMPLE_MS))).toEqual([1, 2, 3]);
  });

  test("an error after a resume still has its place", async () => {
    const [session, boundary] = await openAtBoundary(executor, "await echo({});\nthrow new Error('late');");
    const step = await session.park(AMPLE_MS);
    if (step.type !== "parked") throw new Error(`expected a parked cell, got ${JSON.stringify(step)}`);
    const start = { type: "parked", parked: step.parked, surface: SURFACE, replies: repliesTo(boundary) } as const;
    const ended = await executor.openSession(OPTIONS).start(start, AMPLE_MS);
    expect(failureOf(ended)).toEqual({ message: "Error: late", phase: "guest", location: { line: 2, column: 11 } });
  });

  test("WAIT-12: a cell too large to park says so and goes on on its worker", async () => {
    const limits = { ...OPTIONS.limits, maxSnapshotBytes: 4096 };
    const session = executor.openSession({ ...OPTIONS, limits });
    const boundary = await session.start(
      { type: "source", source: "return echo({})", language: "javascript", surface: SURFACE },
      AMPLE_MS,
    );
    const message = expect.stringMatching(
      /^CodeModeError: The cell holds \d+ bytes and may park at most 4096\./,
    ) as string;
    const failure = { message, code: "snapshot_limit_exceeded", phase: "host" };
    expect(await session.park(AMPLE_MS)).toMatchObject({ type: "refused", failure });
    expect(executor.stats()).toEqual({ workers: 1, busy: 1, queued: 0 });
    const ended = await session.deliver({ replies: repliesTo(boundary) }, AMPLE_MS);
    expect(ended).toMatchObject({ type: "completed", value: { text: "{}" } });
    expect(executor.stats()).toEqual({ workers: 1, busy: 0, queued: 0 });
  });

  test("a damaged snapshot is runtime_unavailable", async () => {
    const [session] = await openAtBoundary(executor, "await echo({})");
    const step = await session.park(AMPLE_MS);
    if (step.type !== "parked") throw new Error(`expected a parked cell, got ${JSON.stringify(step)}`);
    const parked = { ...step.parked, snapshot: { ...step.parked.snapshot, engine: "another" } };
    const resumed = await executor
      .openSession(OPTIONS)
      .start({ type: "parked", parked, surface: SURFACE, replies: [] }, AMPLE_MS);
    expect(failureOf(resumed)).toMatchObject({ code: "runtime_unavailable", phase: "host" });
    expect(valueOf(await runCell(executor, "return 1"))).toBe(1);
  });
});
