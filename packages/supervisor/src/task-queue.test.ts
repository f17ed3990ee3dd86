import type { Task } from "tinypool";
import { expect, test, vi } from "vitest";
import { createTaskQueue } from "./task-queue.js";

function task(): Task & { workerInfo: { ref: () => void; unref: () => void } | null } {
  return { cancel: vi.fn(), workerInfo: null } as never;
}

test("the queue is first in, first out, and holds the newest task's channel", () => {
  const queue = createTaskQueue();
  const [first, second, third] = [task(), task(), task()];
  queue.push(first);
  queue.push(second);
  queue.push(third);
  queue.remove(second);
  queue.remove(second);
  expect(queue.size).toBe(2);
  expect(queue.shift()).toBe(first);
  expect(queue.shift()).toBe(third);
  expect(queue.shift()).toBeNull();

  queue.setKeepsProcessAlive(false);
  const channel = { ref: vi.fn(), unref: vi.fn() };
  third.workerInfo = channel;
  queue.setKeepsProcessAlive(false);
  queue.setKeepsProcessAlive(true);
  expect([channel.unref.mock.calls.length, channel.ref.mock.calls.length]).toEqual([1, 1]);

  queue.push(first);
  queue.cancel();
  expect(queue.size).toBe(0);
  expect(first.cancel).toHaveBeenCalledTimes(1);
});
