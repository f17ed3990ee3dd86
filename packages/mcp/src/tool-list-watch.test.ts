import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchToolList } from "./tool-list-watch.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("MCP-10: changes told in a burst cost one reading, and one more for those told during it", async () => {
  const finish: (() => void)[] = [];
  const read = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)));
  const watch = watchToolList({ read, minIntervalMs: 100, maxIntervalMs: 1_000 });
  for (let told = 0; told < 50; told += 1) watch.changed();
  await vi.advanceTimersByTimeAsync(100);
  expect(read).toHaveBeenCalledTimes(1);
  for (let told = 0; told < 50; told += 1) watch.changed();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(1);
  finish.shift()?.();
  await vi.advanceTimersByTimeAsync(199);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(read).toHaveBeenCalledTimes(2);
  finish.shift()?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test("MCP-10: tools that change without end are read ever more rarely, and after a rest at once again", async () => {
  const startedAt = Date.now();
  const times: number[] = [];
  const watch = watchToolList({
    read: async () => void times.push(Date.now() - startedAt),
    minIntervalMs: 100,
    maxIntervalMs: 1_000,
  });
  const telling = setInterval(watch.changed, 10);
  await vi.advanceTimersByTimeAsync(4_000);
  clearInterval(telling);
  expect(times.map((time, index) => Math.round((time - (times[index - 1] ?? 0)) / 100) * 100)).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
  await vi.advanceTimersByTimeAsync(5_000);
  const before = times.length;
  watch.changed();
  await vi.advanceTimersByTimeAsync(100);
  expect(times).toHaveLength(before + 1);
});

test("MCP-10: a stopped watch reads no more", async () => {
  const read = vi.fn(async () => {});
  const watch = watchToolList({ read, minIntervalMs: 100, maxIntervalMs: 1_000 });
  watch.changed();
  watch.stop();
  watch.changed();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).not.toHaveBeenCalled();
});
