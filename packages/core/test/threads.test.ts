import { expect, test } from "vitest";
import { createCodeMode } from "../src/create-code-mode.js";
import type { CodeMode, CodeModeRun } from "../src/options.js";
import { watchThreads } from "./fakes/threads.js";
import { deferred, tool } from "./fakes/test-host.js";

const threads = watchThreads();
/** The engine does not interrupt it. */
const NATIVE = 'return new Array(1e9).join("x").length;';

function open(tools: Parameters<CodeMode["openRun"]>[0]["tools"] = [], max = 1): { host: CodeMode; run: CodeModeRun } {
  const host = createCodeMode({ workers: { max } });
  return { host, run: host.openRun({ scope: { agentRunId: "agent-1", sessionId: "session-1" }, tools }) };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test("OWN-05: a cancelled call whose thread cannot be interrupted settles when that thread is dead", async () => {
  const { host, run } = open();
  await host.prewarm();
  expect(threads.size).toBe(1);
  const controller = new AbortController();
  const exec = run.exec({ code: NATIVE }, { signal: controller.signal });
  await sleep(200);
  controller.abort();
  expect(await exec).toMatchObject({ status: "failed", code: "aborted" });
  expect(threads.size).toBe(0);
  await host.close();
});

test("OWN-05: after a cancelled call has settled none of its calls starts", async () => {
  const started: number[] = [];
  const many = deferred();
  const { host, run } = open([
    tool("note", ({ n }: { n: number }) => {
      started.push(n);
      if (n === 50) many.resolve(null);
    }),
  ]);
  const controller = new AbortController();
  const exec = run.exec({ code: "for (let n = 1; ; n++) await note({ n });" }, { signal: controller.signal });
  await many.promise;
  controller.abort();
  expect(await exec).toMatchObject({ status: "failed", code: "aborted" });
  const settledAt = started.length;
  await sleep(100);
  expect(started).toEqual(Array.from({ length: settledAt }, (_, at) => at + 1));
  await host.close();
});

test("OWN-06: closing the host ends every thread, whatever it does", async () => {
  const called = deferred();
  const { host, run } = open([tool("never", () => (called.resolve(null), deferred().promise))], 2);
  const codes = [
    { code: "await never({});" },
    { code: NATIVE },
    { code: "for (;;);" },
    { code: "return 1 as number", language: "typescript" },
  ] as const;
  const execs = codes.map((input) => run.exec(input));
  await called.promise;
  await sleep(200);
  expect(threads.size).toBeGreaterThanOrEqual(2);
  await host.close();
  expect(threads.size).toBe(0);
  // The one that is compiled may have been quicker.
  for (const exec of execs.slice(0, 3)) expect(await exec).toMatchObject({ status: "failed", code: "aborted" });
  await execs[3];
});

test("WAIT-03: a parked cell outlives its thread, and calls nothing again on another", async () => {
  const calls: number[] = [];
  const { host, run } = open([tool("note", ({ n }: { n: number }) => calls.push(n))]);
  const code = `
    const kept = new Map([[1, await note({ n: 1 })]]);
    const add = (n, value) => kept.set(n, value);
    await yield_control();
    add(2, await note({ n: 2 }));
    return [...kept];`;
  const { runId } = (await run.exec({ code })) as { runId: string };
  const [first] = threads;
  await first?.terminate();
  expect(threads.size).toBe(0);
  expect(await run.wait({ runId })).toMatchObject({
    status: "completed",
    value: [
      [1, 1],
      [2, 2],
    ],
  });
  expect(calls).toEqual([1, 2]);
  await host.close();
});

test("LIM-09: a thread that is killed costs the cell it ran, and no other", async () => {
  const called = deferred();
  const answers = { doomed: deferred<string>(), safe: deferred<string>() };
  const { host, run } = open(
    [tool("doomed", () => (called.resolve(null), answers.doomed.promise)), tool("safe", () => answers.safe.promise)],
    2,
  );
  const doomed = run.exec({ code: "return doomed({});" });
  await called.promise;
  const [victim] = threads;
  const safe = run.exec({ code: 'return "safe " + (await safe({}));' });
  await victim?.terminate();
  for (const answer of Object.values(answers)) answer.resolve("and sound");
  expect(await doomed).toMatchObject({
    status: "failed",
    error: "WorkerError: the worker thread ended before the cell did.",
    code: "runtime_unavailable",
    failurePhase: "host",
    calls: [{ name: "doomed", status: "completed" }],
  });
  expect(await safe).toMatchObject({ status: "completed", value: "safe and sound" });
  await host.close();
});
