import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSlotQueue } from "./queue.js";

const slot = { name: "slot" };
const claim = (claimed: { name: string }) => claimed;
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the slot queue", () => {
  test("grants in the order of arrival and claims at once", async () => {
    const queue = createSlotQueue<{ name: string }>();
    const claimed: number[] = [];
    const waits = [1, 2].map((place) => queue.wait(() => claimed.push(place), 100, never));
    queue.grant(slot);
    expect(claimed).toEqual([1]);
    expect(queue.size).toBe(1);
    queue.grant(slot);
    expect(await Promise.all(waits)).toEqual([1, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("LIM-10: a wait ends with its own budget", async () => {
    const queue = createSlotQueue<{ name: string }>();
    const short = queue.wait(claim, 50, never);
    const long = queue.wait(claim, 100, never);
    await vi.advanceTimersByTimeAsync(50);
    expect(await short).toBe("timeout");
    queue.grant(slot);
    expect(await long).toBe(slot);
  });

  test("an abort ends the wait, also one from before", async () => {
    const queue = createSlotQueue<{ name: string }>();
    const abort = new AbortController();
    const wait = queue.wait(claim, 50, abort.signal);
    abort.abort();
    expect(await wait).toBe("aborted");
    expect(await queue.wait(claim, 50, abort.signal)).toBe("aborted");
    expect([queue.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test("refuses the longest wait only", async () => {
    const queue = createSlotQueue<{ name: string }>();
    const first = queue.wait(claim, 50, never);
    void queue.wait(claim, 50, never);
    queue.refuse();
    expect(await first).toBe("unavailable");
    expect(queue.size).toBe(1);
  });
});
