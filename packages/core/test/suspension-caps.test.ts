import { expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { createTestHost, deferred, tool, type TestHost } from "./fakes/test-host.js";

function plain({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

function cappedHost(config: object = {}): TestHost & { readonly aborted: () => number } {
  let aborted = 0;
  const hang = tool("hang", (_input, { signal }) => {
    signal.addEventListener("abort", () => aborted++);
    return deferred().promise;
  });
  const made = createTestHost({
    config: { timeoutMs: 1_000, maxSuspendedPerSession: 64, ...config },
    programs: {
      parks: async (guest) => {
        void guest.call("hang").catch(() => {});
        await guest.yieldControl();
        await guest.yieldControl();
        return "done";
      },
      yields: (guest) => guest.yieldControl(),
      quick: (guest) => guest.call("echo"),
    },
    run: { tools: [hang, tool("echo", () => "echoed")] },
  });
  return { ...made, aborted: () => aborted };
}

const statusesOf = (results: readonly CodeModeResult[], status: string): number =>
  results.filter((result) => result.status === status).length;

test("WAIT-08: of 70 cells that suspend at once 64 are kept; the others fail with the exact message and free everything", async () => {
  const { run, executor, aborted, clock } = cappedHost();
  const results = await Promise.all(Array.from({ length: 70 }, () => run.exec({ code: "parks" })));
  expect([statusesOf(results, "waiting"), statusesOf(results, "failed")]).toEqual([64, 6]);
  for (const result of results.filter(({ status }) => status === "failed")) {
    expect(plain(result)).toEqual({
      status: "failed",
      error: "too many suspended code mode runs.",
      code: "invalid_input",
      failurePhase: "host",
      calls: [{ name: "hang", status: "unknown" }],
    });
  }
  expect([executor.counts.opened - executor.counts.closed, aborted()]).toEqual([0, 6]);
  await run.close();
  expect([aborted(), clock.armed()]).toEqual([70, 0]);
});

test("WAIT-08: cells that complete without being parked take no slot, and a slot is free once its cell is over", async () => {
  const { run } = cappedHost();
  const parked = await Promise.all(Array.from({ length: 64 }, () => run.exec({ code: "yields" })));
  const quick = await Promise.all(Array.from({ length: 10 }, () => run.exec({ code: "quick" })));
  expect(statusesOf(quick, "completed")).toBe(10);
  expect(await run.exec({ code: "yields" })).toMatchObject({ error: "too many suspended code mode runs." });
  const { runId } = parked[0] as { runId: string };
  expect(await run.wait({ runId })).toMatchObject({ status: "completed" });
  expect(await run.exec({ code: "yields" })).toMatchObject({ status: "waiting" });
});

test("WAIT-08: while a full store's runs are resumed, and park again, no other cell gets between", async () => {
  const { run } = cappedHost();
  const parked = await Promise.all(Array.from({ length: 64 }, () => run.exec({ code: "parks" })));
  const [resumed, others] = await Promise.all([
    Promise.all(parked.map((result) => run.wait({ runId: (result as { runId: string }).runId }))),
    Promise.all(Array.from({ length: 10 }, () => run.exec({ code: "yields" }))),
  ]);
  expect([statusesOf(resumed, "waiting"), statusesOf(others, "failed")]).toEqual([64, 10]);
});

test("WAIT-09: one session's quota fails its next suspension and leaves other sessions alone", async () => {
  const { host, run } = cappedHost({ maxSuspendedPerSession: 2 });
  const results = await Promise.all(Array.from({ length: 3 }, () => run.exec({ code: "yields" })));
  expect(statusesOf(results, "waiting")).toBe(2);
  expect(results.find(({ status }) => status === "failed")).toMatchObject({
    error: "too many suspended code mode runs in this session.",
    code: "invalid_input",
  });
  const other = host.openRun({ scope: { agentRunId: "agent-2", sessionId: "session-2" }, tools: [] });
  expect(await other.exec({ code: "yields" })).toMatchObject({ status: "waiting" });
});
