import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { resolveConfig, type CodeModeConfigInput } from "@codemode/config";
import type { CellExecutor } from "@codemode/protocol";
import { createSupervisor } from "@codemode/supervisor";
import { workerUrl } from "@codemode/worker";
import { createCodeMode } from "../src/create-code-mode.js";
import type { CodeMode, CodeModeRun, RunOptions } from "../src/options.js";
import { deferred, tool } from "./fakes/test-host.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const SESSION = "session-1";
const PARKS = "const kept = new Map([[1, 2]]); await yield_control(); return kept.get(1);";

interface Setting {
  readonly host: CodeMode;
  openRun(options?: Partial<RunOptions>, config?: CodeModeConfigInput): CodeModeRun;
  /** Snapshots that were made, and those of them that are still in this thread's memory. */
  made(): number;
  inMemory(): Promise<number>;
  close(): Promise<void>;
}

/** A real host of one worker whose snapshots are watched as they come from it. */
function open(): Setting {
  const pool = createSupervisor({ workerUrl, maxWorkers: 1 });
  const snapshots: WeakRef<Uint8Array>[] = [];
  const executor: CellExecutor = {
    prewarm: () => pool.prewarm(),
    close: () => pool.close(),
    openSession(options) {
      const session = pool.openSession(options);
      return {
        start: (...given) => session.start(...given),
        deliver: (...given) => session.deliver(...given),
        close: () => session.close(),
        async park(...given) {
          const step = await session.park(...given);
          if (step.type === "parked") snapshots.push(new WeakRef(step.parked.snapshot.memory));
          return step;
        },
      };
    },
  };
  const host = createCodeMode({ executor });
  return {
    host,
    openRun: (options = {}, config = {}) =>
      host.openRun({
        scope: { agentRunId: "agent-1", sessionId: SESSION },
        tools: [],
        activation: { engaged: true, reason: "test", source: "global", limits: resolveConfig(config).limits },
        ...options,
      }),
    made: () => snapshots.length,
    async inMemory() {
      // What a job has looked at stays until the job is over.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      return snapshots.filter((snapshot) => snapshot.deref() !== undefined).length;
    },
    async close() {
      await host.close();
      await pool.close();
    },
  };
}

async function park(run: CodeModeRun, code = PARKS): Promise<string> {
  return ((await run.exec({ code })) as { runId: string }).runId;
}

const ENDINGS: readonly (readonly [name: string, end: (setting: Setting) => Promise<void>])[] = [
  [
    "it completes",
    async ({ openRun }) => {
      const run = openRun();
      expect(await run.wait({ runId: await park(run) })).toMatchObject({ status: "completed", value: 2 });
    },
  ],
  [
    "it fails",
    async ({ openRun }) => {
      const run = openRun();
      const runId = await park(run, 'await yield_control(); throw new Error("no");');
      expect(await run.wait({ runId })).toMatchObject({ status: "failed", error: "Error: no" });
    },
  ],
  [
    "it expires",
    async ({ openRun }) => {
      const run = openRun({}, { snapshotTtlSeconds: 1 });
      await park(run);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    },
  ],
  [
    "its wait is aborted",
    async ({ openRun }) => {
      const run = openRun();
      const runId = await park(run, "await yield_control(); for (;;);");
      const result = await run.wait({ runId }, { signal: AbortSignal.timeout(100) });
      expect(result).toMatchObject({ status: "failed", code: "aborted" });
    },
  ],
  [
    "its run is aborted",
    async ({ openRun }) => {
      const controller = new AbortController();
      const run = openRun({ signal: controller.signal });
      await park(run);
      controller.abort();
      await run.close();
    },
  ],
  [
    "its session is closed",
    async ({ host, openRun }) => {
      await park(openRun());
      await host.closeSession(SESSION);
    },
  ],
  [
    "the host is closed",
    async ({ host, openRun }) => {
      await park(openRun());
      await host.close();
    },
  ],
];

test.each(ENDINGS)("WAIT-11: a snapshot leaves memory when %s", async (_name, end) => {
  const setting = open();
  await end(setting);
  expect(setting.made()).toBeGreaterThan(0);
  expect(await setting.inMemory()).toBe(0);
  await setting.close();
});

test("WAIT-11: a parked cell is in memory once, and a cell that left its worker for others only while it is away", async () => {
  const setting = open();
  const run = setting.openRun();
  const runId = await park(run);
  expect(await setting.inMemory()).toBe(1);
  await run.wait({ runId });

  const answer = deferred<number>();
  const slow = setting.openRun({ tools: [tool("slow", () => answer.promise)] });
  const away = slow.exec({ code: "return slow({});" });
  expect(await run.exec({ code: "return 1" })).toMatchObject({ status: "completed" });
  expect([setting.made(), await setting.inMemory()]).toEqual([2, 1]);
  answer.resolve(7);
  expect(await away).toMatchObject({ status: "completed", value: 7 });
  expect(await setting.inMemory()).toBe(0);
  await setting.close();
});
