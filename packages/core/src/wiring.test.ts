import { once } from "node:events";
import { expect, test } from "vitest";
import type { CellExecutor, SnapshotStore } from "@codemode/protocol";
import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createFakeClock } from "../test/fakes/fake-clock.js";
import { createFakeExecutor } from "../test/fakes/fake-executor.js";
import { createCodeMode } from "./create-code-mode.js";

const scope = { agentRunId: "agent-1" };

test("a given executor and store are used and stay the caller's", async () => {
  const closed: string[] = [];
  const fake = createFakeExecutor({ main: async (guest) => guest.yieldControl() }, createFakeClock());
  const executor: CellExecutor = { ...fake, close: async () => void closed.push("executor") };
  const memory = createMemorySnapshotStore();
  const snapshotStore: SnapshotStore = { ...memory, close: async () => void closed.push("store") };
  const host = createCodeMode({ executor, snapshotStore });
  const { runId } = (await host.openRun({ scope, tools: [] }).exec({ code: "main" })) as { runId: string };
  expect(await memory.acquire(runId, scope)).toMatchObject({ status: "acquired" });
  await host.close();
  expect(closed).toEqual([]);
  expect(await memory.acquire(runId, scope)).toEqual({ status: "refused", reason: "unavailable" });
});

test("an observer that throws becomes a process warning and changes nothing", async () => {
  const executor = createFakeExecutor({ main: () => 1 }, createFakeClock());
  const warned = once(process, "warning");
  const host = createCodeMode({
    executor,
    onEvent: () => {
      throw new Error("observer");
    },
  });
  expect(await host.openRun({ scope, tools: [] }).exec({ code: "main" })).toMatchObject({
    status: "completed",
    value: 1,
  });
  expect(await warned).toEqual([new Error("observer")]);
  await host.close();
});

test("a configuration that cannot be used is refused with its path", () => {
  expect(() => createCodeMode({ config: { timeoutMs: "soon" as never } })).toThrow(/timeoutMs/);
});

test("a thrown proxy that throws itself is still a process warning", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const shown = "code mode met a fault: Error: an object";
  const warned = new Promise<void>((resolve) => {
    process.on("warning", function listen({ message }) {
      if (message !== shown) return;
      process.off("warning", listen);
      resolve();
    });
  });
  const host = createCodeMode({
    executor: createFakeExecutor({ main: () => 1 }, createFakeClock()),
    onEvent: () => {
      throw proxy;
    },
  });
  expect(await host.openRun({ scope, tools: [] }).exec({ code: "main" })).toMatchObject({ status: "completed" });
  await warned;
  await host.close();
});
