import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../front-clock.js";
import type { CallOutcome } from "../perform-call.js";
import { createTaskStore, type Task, type TaskControl } from "./task-store.js";

const START = Date.UTC(2026, 0, 1);
beforeEach(() => vi.useFakeTimers({ now: START }));
afterEach(() => vi.useRealTimers());
const at = (ms: number): string => new Date(START + ms).toISOString();
const completed: CallOutcome = { status: "completed", answer: () => ({ content: [] }) };

/** Work that a test ends. */
interface Work extends TaskControl {
  end(outcome?: CallOutcome): void;
}

function open() {
  const ended: Task[] = [];
  let ids = 0;
  const store = createTaskStore({
    clock: systemClock,
    newId: () => `id-${++ids}`,
    onChanged: (task) => ended.push(task),
  });
  const works = new Map<string, Work>();
  const start = (ttlMs?: number): Task | undefined =>
    store.start(
      (control) => new Promise((end) => works.set(control.taskId, { ...control, end: (one = completed) => end(one) })),
      ttlMs,
    );
  const work = (id: string): Work => {
    const found = works.get(id);
    if (found === undefined) throw new Error(`${id} does not run`);
    return found;
  };
  return { store, start, ended, work };
}

test("E2E-03: a task works, says what it is at, and keeps its outcome", async () => {
  const { store, start, ended, work } = open();
  const base = { taskId: "id-1", createdAt: at(0), ttl: 900_000, pollInterval: 500 };
  expect(start()).toEqual({ ...base, status: "working", lastUpdatedAt: at(0) });
  await vi.advanceTimersByTimeAsync(1_000);
  work("id-1").tell("1 call\ndone");
  expect(store.get("id-1")).toEqual({
    ...base,
    status: "working",
    statusMessage: "1 call done",
    lastUpdatedAt: at(1_000),
  });
  const outcome = store.outcome("id-1");
  await vi.advanceTimersByTimeAsync(1_000);
  work("id-1").end();
  expect(await outcome).toBe(completed);
  const last = { ...base, status: "completed", lastUpdatedAt: at(2_000) };
  work("id-1").tell("late");
  expect([store.get("id-1"), store.list(), ended]).toEqual([last, [last], [last]]);
});

test("E2E-03: a failed outcome is a failed task that says why, on one line of bounded length", async () => {
  const { store, start, work } = open();
  start();
  await Promise.resolve();
  work("id-1").end({ ...completed, status: "failed", error: `Error: bad\n${"x".repeat(5_000)}` });
  await store.outcome("id-1");
  expect(store.get("id-1")).toMatchObject({ status: "failed", statusMessage: `Error: bad ${"x".repeat(288)}…` });
});

test("E2E-03: a cancelled task stays cancelled, whatever its work comes to", async () => {
  const { store, start, ended, work } = open();
  start();
  await Promise.resolve();
  expect(store.cancel("id-1")).toMatchObject({ status: "cancelled", statusMessage: "cancelled by the client" });
  expect(work("id-1").signal.aborted).toBe(true);
  work("id-1").end();
  expect(await store.outcome("id-1")).toBe(completed);
  expect(store.get("id-1")?.status).toBe("cancelled");
  expect(ended).toHaveLength(1);
  expect(store.cancel("unknown")).toBeUndefined();
});

test.each([
  [undefined, 900_000],
  [60_000.4, 60_000],
  [-1, 1_000],
  [1e12, 3_600_000],
])(
  "E2E-03: a time to live of %s ms is taken as %s ms, then the task is gone and its work aborted",
  async (asked, ttl) => {
    const { store, start, work } = open();
    expect(start(asked)?.ttl).toBe(ttl);
    const outcome = store.outcome("id-1");
    await vi.advanceTimersByTimeAsync(ttl - 1);
    expect(store.get("id-1")).toBeDefined();
    await vi.advanceTimersByTimeAsync(1);
    expect([store.get("id-1"), store.list(), store.outcome("id-1")]).toEqual([undefined, [], undefined]);
    expect(String(work("id-1").signal.reason)).toBe("AbortError: the task's time to live is over");
    work("id-1").end();
    expect(await outcome).toBe(completed);
  },
);

test("E2E-03: 16 tasks are under way at most, and 64 are remembered: ended ones make room, fetched ones first", async () => {
  const { store, start, work } = open();
  for (let count = 1; count <= 16; count += 1) expect(start()).toBeDefined();
  expect(start()).toBeUndefined();
  await Promise.resolve();
  for (let count = 1; count <= 64; count += 1) {
    work(`id-${count}`).end();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    if (count === 5) await store.outcome("id-5");
    if (count <= 48) expect(start()?.taskId).toBe(`id-${count + 16}`);
    await Promise.resolve();
  }
  expect(store.list()).toHaveLength(64);
  start();
  expect([store.get("id-5"), store.get("id-1")?.status, store.list().length]).toEqual([undefined, "completed", 64]);
  start();
  expect(store.get("id-1")).toBeUndefined();
});

test("E2E-03: the end of the session aborts and forgets all, and sets no timer", async () => {
  const { store, start, work } = open();
  start();
  start();
  await Promise.resolve();
  store.close();
  expect([store.list(), vi.getTimerCount()]).toEqual([[], 0]);
  expect([work("id-1").signal.aborted, work("id-2").signal.aborted]).toEqual([true, true]);
});

test("MCP-14, E2E-03: a task that asks its client says so until all questions are over, and ends all the same", async () => {
  const { store, start, ended, work } = open();
  start();
  await Promise.resolve();
  work("id-1").tell("1 call under way");
  const answers: ((value: string) => void)[] = [];
  const ask = (): Promise<string> => work("id-1").whileAsking(() => new Promise((resolve) => answers.push(resolve)));
  const [one, two] = [ask(), ask()];
  expect(store.get("id-1")).toMatchObject({ status: "input_required", statusMessage: "1 call under way" });
  answers[0]?.("a");
  expect(await one).toBe("a");
  expect(store.get("id-1")?.status).toBe("input_required");
  answers[1]?.("b");
  expect(await two).toBe("b");
  expect(store.get("id-1")).toMatchObject({ status: "working", statusMessage: "1 call under way" });
  const failing = work("id-1").whileAsking(() => Promise.reject(new Error("no answer")));
  await expect(failing).rejects.toThrow("no answer");
  const last = ask();
  store.cancel("id-1");
  answers[2]?.("c");
  await last;
  expect(ended.map(({ status }) => status)).toEqual([
    ...["input_required", "working", "input_required", "working", "input_required"],
    "cancelled",
  ]);
});
