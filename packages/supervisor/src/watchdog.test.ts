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

test("one that is armed for earlier than before barks then; one that is disposed never", () => {
  const onOverrun = vi.fn();
  const watchdog = createWatchdog(onOverrun);
  watchdog.arm(1000);
  watchdog.disarm();
  watchdog.arm(10);
  vi.advanceTimersByTime(10);
  expect(onOverrun).toHaveBeenCalledTimes(1);
  watchdog.arm(10);
  watchdog.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(2000);
  expect(onOverrun).toHaveBeenCalledTimes(1);
});

test("steps that end in time share one timer", () => {
  const onOverrun = vi.fn();
  const watchdog = createWatchdog(onOverrun);
  for (let step = 0; step < 50; step++) {
    watchdog.arm(100);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10);
    watchdog.disarm();
  }
  expect(onOverrun).toHaveBeenCalledTimes(0);
});
