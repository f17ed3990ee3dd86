import { expect, test } from "vitest";
import type { CodeModeEvent, SnapshotStore } from "@codemode/protocol";
import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createSystemClock } from "../src/clock.js";
import { createCodeMode } from "../src/create-code-mode.js";
import { deferred, tool } from "./fakes/test-host.js";

test("WAIT-12: 60 cells that wait for slow tools complete in one exec each, on two threads, without a suspended slot", async () => {
  const calls: string[] = [];
  const everyCellHasCalled = deferred<null>();
  const slow = tool("slow", async ({ cell, n }: { cell: number; n: number }) => {
    calls.push(`${cell} ${n}`);
    if (calls.length === 60) everyCellHasCalled.resolve(null);
    // Two threads alone would never get there: no first call returns before all cells have made theirs.
    await everyCellHasCalled.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return cell * 10 + n;
  });
  const events: CodeModeEvent[] = [];
  const store = createMemorySnapshotStore({ maxSuspended: 64, maxPerSession: 16, clock: createSystemClock() });
  // Fails every cell that would take a suspended slot.
  const snapshotStore: SnapshotStore = { ...store, park: () => Promise.reject(new Error("a slot was taken")) };
  const host = createCodeMode({
    workers: { max: 2 },
    snapshotStore,
    config: { timeoutMs: 60_000 },
    onEvent: (event) => events.push(event),
  });
  const run = host.openRun({ scope: { agentRunId: "agent-1", sessionId: "session-1" }, tools: [slow] });
  const cells = Array.from({ length: 60 }, (_, cell) => cell);
  const code = (cell: number) => `
    const kept = new Map();
    for (const n of [1, 2, 3]) kept.set(n, await slow({ cell: ${cell}, n }));
    text("done");
    return [...kept.values()];`;
  const results = await Promise.all(cells.map((cell) => run.exec({ code: code(cell) })));
  await host.close();

  expect(results.map(({ telemetry: _, replaySafe: __, ...result }) => result)).toEqual(
    cells.map((cell) => ({
      status: "completed",
      value: [cell * 10 + 1, cell * 10 + 2, cell * 10 + 3],
      output: [{ type: "text", text: "done" }],
    })),
  );
  expect(calls.sort()).toEqual(cells.flatMap((cell) => [1, 2, 3].map((n) => `${cell} ${n}`)).sort());
  expect(events.filter(({ type }) => type === "worker-start")).toHaveLength(2);
  expect(events.filter(({ type }) => type === "cell-park" || type === "cell-resume")).toEqual([]);
});
