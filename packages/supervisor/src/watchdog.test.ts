import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWatchdog } from "./watchdog.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a watchdog barks once, at the time of its last arming, unless disarmed", () => {
  const onOverrun = vi.fn();
  const watchdog = createWatchdog(onOverrun);
  watchdog.arm(10);
  watchdog.disarm();
  vi.advanceTimersByTime(20);
  expect(onOverrun).toHaveBeenCalledTimes(0);
  watchdog.arm(10);
  watchdog.arm(30);
  vi.advanceTimersByTime(29);
  expect(onOverrun).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(100);
  expect(onOverrun).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
