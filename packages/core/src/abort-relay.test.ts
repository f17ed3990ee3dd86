import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";
import { settled } from "../test/fakes/fake-clock.js";
import { createAbortRelay } from "./abort-relay.js";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

test("many actions share one listener, and the last one to go takes it along", () => {
  const { signal } = new AbortController();
  const relay = createAbortRelay();
  const withdrawals = Array.from({ length: 20 }, () => relay.onAbort(signal, () => {}));
  expect(listeners(signal)).toBe(1);
  for (const withdraw of withdrawals) withdraw();
  expect(listeners(signal)).toBe(0);
  const again = relay.onAbort(signal, () => {});
  withdrawals[0]?.();
  expect(listeners(signal)).toBe(1);
  again();
  expect(listeners(signal)).toBe(0);
});

test("an abort runs what was not withdrawn, once each, and later actions at once", () => {
  const controller = new AbortController();
  const relay = createAbortRelay();
  const log: string[] = [];
  relay.onAbort(controller.signal, () => {
    log.push("a");
    withdraw();
  });
  const withdraw = relay.onAbort(controller.signal, () => log.push("withdrawn"));
  relay.onAbort(controller.signal, () => log.push("b"));
  relay.onAbort(undefined, () => log.push("never"));
  controller.abort();
  relay.onAbort(controller.signal, () => log.push("late"));
  expect(log).toEqual(["a", "b", "late"]);
});

test("OWN-01: runs, execs, direct calls and waits of a host put one listener on a signal they share", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { host, run } = createTestHost({
    programs: { main: (guest) => guest.call("slow") },
    run: { tools: [tool("slow", () => deferred().promise)], signal },
  });
  for (let n = 0; n < 11; n++) host.openRun({ scope: { agentRunId: `agent-${n}` }, tools: [], signal });
  const execs = Array.from({ length: 11 }, () => run.exec({ code: "main" }, { signal }));
  await settled();
  expect(listeners(signal)).toBe(1);
  controller.abort();
  const results = await Promise.all(execs);
  expect(results.every((result) => result.status === "failed" && result.code === "aborted")).toBe(true);
  expect(listeners(signal)).toBe(0);
});
