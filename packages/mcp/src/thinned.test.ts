import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { thinned } from "./thinned.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("MCP-14: the first value comes at once, of those that come too soon the newest, and none after the end", () => {
  const seen: number[] = [];
  const thin = thinned<number>((value) => seen.push(value), 50);
  for (let value = 0; value < 1_000; value += 1) thin.push(value);
  expect(seen).toEqual([0]);
  vi.advanceTimersByTime(49);
  expect(seen).toEqual([0]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([0, 999]);
  vi.advanceTimersByTime(50);
  thin.push(1_000);
  thin.push(1_001);
  expect(seen).toEqual([0, 999, 1_000]);
  thin.end();
  thin.push(1_002);
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([0, 999, 1_000]);
  expect(vi.getTimerCount()).toBe(0);
});
