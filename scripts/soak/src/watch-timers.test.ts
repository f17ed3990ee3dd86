import { afterEach, beforeEach, expect, test } from "vitest";
import { watchTimers, type TimerWatch } from "./watch-timers.js";

let timers: TimerWatch;
beforeEach(() => {
  timers = watchTimers();
});
afterEach(() => timers.stop());

test("a timer is active until it fires or is cleared, also when it keeps nothing alive", async () => {
  const [first, second] = [setTimeout(() => {}, 60_000).unref(), setInterval(() => {}, 50_000).unref()];
  const fired = new Promise((resolve) => setTimeout(resolve, 1, "value"));
  expect(timers.active()).toEqual([60_000, 50_000, 1]);
  expect(await fired).toBe("value");
  expect(timers.active()).toEqual([60_000, 50_000]);
  clearTimeout(first);
  clearInterval(second);
  clearTimeout(undefined);
  expect(timers.active()).toEqual([]);
});

test("after stop the real ones are back", () => {
  const watched = setTimeout;
  timers.stop();
  expect(setTimeout).not.toBe(watched);
});
