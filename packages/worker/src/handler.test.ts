import type { GuestRuntime } from "@codemode/protocol";
import { expect, test, vi } from "vitest";
import { MessageChannel } from "node:worker_threads";
import { createWorkerHandler } from "./handler.js";

const compileTask = { type: "compile", language: "javascript", source: "return 1", maxSourceBytes: 1024 } as const;

test("a thread that compiles makes no engine", async () => {
  const createRuntime = vi.fn<() => GuestRuntime>();
  expect(await createWorkerHandler(createRuntime)(compileTask)).toMatchObject({ type: "prepared" });
  expect(createRuntime).not.toHaveBeenCalled();
});

test("a thread that serves takes the engine it is given; one that cannot be made ends the task", async () => {
  const { port1, port2 } = new MessageChannel();
  const handler = createWorkerHandler(() => Promise.reject(new Error("no engine here")));
  await expect(handler({ type: "serve", port: port2, doorbell: new SharedArrayBuffer(4) })).rejects.toThrow(
    "no engine here",
  );
  port1.close();
});
