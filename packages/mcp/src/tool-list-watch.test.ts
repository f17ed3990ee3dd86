import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchToolList } from "./tool-list-watch.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("MCP-10: changes told in a burst cost one reading, and one more for those told during it", async () => {
  const finish: (() => void)[] = [];
  const read = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)));
  const watch = watchToolList({ read, minIntervalMs: 100 });
  for (let told = 0; told < 50; told += 1) watch.changed();
  await vi.advanceTimersByTimeAsync(100);
  expect(read).toHaveBeenCalledTimes(1);
  for (let told = 0; told < 50; told += 1) watch.changed();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(1);
  finish.shift()?.();
  await vi.advanceTimersByTimeAsync(99);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(read).toHaveBeenCalledTimes(2);
  finish.shift()?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test("MCP-10: a stopped watch reads no more", async () => {
  const read = vi.fn(async () => {});
  const watch = watchToolList({ read, minIntervalMs: 100 });
  watch.changed();
  watch.stop();
  watch.changed();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).not.toHaveBeenCalled();
});
