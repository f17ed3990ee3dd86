import type { GuestRuntime } from "@codemode/protocol";
import { expect, test, vi } from "vitest";
import { MessageChannel } from "node:worker_threads";
import { runThread, type ThreadStart } from "./run-thread.js";

const compileTask = { type: "compile", language: "javascript", source: "return 1", maxSourceBytes: 1024 } as const;

function fakeParent() {
  const on = vi.fn<ThreadStart["parent"]["on"]>();
  return { on, postMessage: vi.fn() } as unknown as ThreadStart["parent"] & { on: typeof on };
}

test("a thread that compiles makes no engine, and answers each task", async () => {
  const createRuntime = vi.fn<() => GuestRuntime>();
  const parent = fakeParent();
  await runThread(createRuntime, { firstTask: compileTask, parent });
  expect(parent.postMessage).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ type: "prepared" }));
  const [event, take] = parent.on.mock.lastCall ?? [];
  expect(event).toBe("message");
  (take as (task: typeof compileTask) => void)({ ...compileTask });
  await vi.waitFor(() => expect(parent.postMessage).toHaveBeenCalledTimes(2));
  expect(createRuntime).not.toHaveBeenCalled();
});

test("a thread that serves takes the engine it is given; one that cannot be made ends the thread", async () => {
  const { port1, port2 } = new MessageChannel();
  const firstTask = { type: "serve", port: port2, doorbell: new SharedArrayBuffer(4), isAwaited: true } as const;
  const life = runThread(() => Promise.reject(new Error("no engine here")), { firstTask, parent: fakeParent() });
  await expect(life).rejects.toThrow("no engine here");
  port1.close();
});
