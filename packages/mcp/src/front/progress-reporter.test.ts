import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgressReporter } from "./progress-reporter.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("E2E-03: the first text goes at once, the newest of a burst after the pause", () => {
  const sent: unknown[] = [];
  const reporter = createProgressReporter({ send: (progress, message) => sent.push([progress, message]) });
  for (const message of ["a", "b", "c", "c"]) reporter.tell(message);
  expect(sent).toEqual([[1, "a"]]);
  vi.advanceTimersByTime(200);
  expect(sent).toEqual([
    [1, "a"],
    [2, "c"],
  ]);
});

test("E2E-03: silence is broken by a sign of life, and nothing comes after the end", () => {
  const sent: unknown[] = [];
  const reporter = createProgressReporter({ send: (progress, message) => sent.push([progress, message]) });
  reporter.tell("a");
  vi.advanceTimersByTime(5_000);
  expect(sent).toEqual([
    [1, "a"],
    [2, "a"],
  ]);
  reporter.end();
  reporter.tell("b");
  vi.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(2);
});
