import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { settleBy } from "./settle-by.js";

const forever = new Promise<never>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("settleBy", () => {
  test("gives the result, or its rejection, and leaves no timer", async () => {
    expect(await settleBy(Promise.resolve(1), 50)).toBe(1);
    await expect(settleBy(Promise.reject(new Error("no")), 50)).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("gives up at the deadline", async () => {
    const outcome = settleBy(forever, 50);
    await vi.advanceTimersByTimeAsync(51);
    expect(await outcome).toBe("timeout");
  });

  test("a negative budget is none", async () => {
    const outcome = settleBy(forever, -1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe("timeout");
  });

  test("gives up at an abort, also one from before", async () => {
    const abort = new AbortController();
    const outcome = settleBy(forever, 50, abort.signal);
    abort.abort();
    expect(await outcome).toBe("aborted");
    expect(await settleBy(forever, 50, abort.signal)).toBe("aborted");
    expect(vi.getTimerCount()).toBe(0);
  });
});
