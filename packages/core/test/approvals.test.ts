import { expect, test } from "vitest";
import type { CodeModeResult, NestedCall } from "@codemode/protocol";
import { createToolExecutor } from "../src/tool-executor.js";
import type { FakeProgram } from "./fakes/fake-guest.js";
import { createPerson, type Decision } from "./fakes/person.js";
import { createTestHost, tool, type TestHostOptions } from "./fakes/test-host.js";

const HOUR_MS = 3_600_000;
/** What is left of a budget of 1,000 ms until a cell that waits is parked. */
const UNTIL_MARGIN_MS = 750;

/**
 * A host whose calls a person decides on. Inputs cross as JSON, so a decision is given by its name. `slow` works for as
 * long as it is told, `hang` for ever, `act` at once.
 */
function askingHost(main: FakeProgram, decisions: Readonly<Record<string, Decision>> = {}, more: TestHostOptions = {}) {
  const acted: unknown[] = [];
  const person = createPerson(() => made.clock);
  const made = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: { main },
    ...more,
    run: {
      tools: [
        tool("act", (input) => acted.push(input)),
        tool("hang", () => new Promise(() => {})),
        tool("slow", ({ ms }: { ms: number }) => new Promise((resolve) => made.clock.schedule(() => resolve(ms), ms))),
      ],
      approve: (call, control) => {
        const named = (call.input as { ask?: string }).ask ?? "";
        return person.approve({ ...call, input: { ask: decisions[named] } }, control);
      },
      ...more.run,
    },
  });
  return { ...made, acted, person };
}

/** How long the call stays open from now on, to the millisecond, and what it comes to. */
async function lengthOf(
  clock: { now(): number; advance(ms: number): Promise<void> },
  pending: Promise<CodeModeResult>,
): Promise<{ ms: number; result: CodeModeResult }> {
  const startedAt = clock.now();
  let end: { ms: number; result: CodeModeResult } | undefined;
  void pending.then((result) => (end = { ms: clock.now() - startedAt, result }));
  for (let turn = 0; end === undefined && turn < 10; turn++) await clock.advance(HOUR_MS);
  if (end === undefined) throw new Error("the call did not end");
  return end;
}

const waitingFor = (name: string, timing: object): object => ({
  status: "waiting",
  reason: "pending_tools",
  pendingToolCalls: [{ name }],
  telemetry: { timing },
});

test("APPR-01: sequential approvals stop the budget, and exactly the unused part remains", async () => {
  const host = askingHost(
    async (guest) => {
      await guest.call("slow", { ms: 100 });
      await guest.call("act", { ask: "later" });
      await guest.call("slow", { ms: 249 });
      await guest.call("act", { ask: "soon" });
      return guest.call("hang");
    },
    { later: { afterMs: HOUR_MS }, soon: { afterMs: 333 } },
  );
  const { ms, result } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  expect(ms).toBe(UNTIL_MARGIN_MS + HOUR_MS + 333);
  const timing = { guestMs: 0, toolsMs: UNTIL_MARGIN_MS, peopleMs: HOUR_MS + 333 };
  expect(result).toMatchObject(waitingFor("hang", timing));
  expect(host.acted).toHaveLength(2);
});

test("APPR-01: of parallel approvals and tools the union of the approvals stops the budget", async () => {
  const host = askingHost(
    async (guest) => {
      const slow = guest.call("slow", { ms: 4_000 }).then(() => guest.call("act", { ask: "third" }));
      await Promise.all([guest.call("act", { ask: "first" }), guest.call("act", { ask: "second" }), slow]);
      return guest.call("hang");
    },
    { first: { afterMs: 5_000 }, second: { afterMs: 7_000 }, third: { afterMs: 5_000 } },
  );
  const { ms, result } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  expect(ms).toBe(UNTIL_MARGIN_MS + 9_000);
  expect(result).toMatchObject(waitingFor("hang", { guestMs: 0, toolsMs: UNTIL_MARGIN_MS, peopleMs: 9_000 }));
});

test.each<[string, Decision, object]>([
  ["denied", { afterMs: 60_000, answer: { deny: "not today" } }, { code: "tool_denied", message: "not today" }],
  [
    "timed out",
    { afterMs: 60_000, answer: new DOMException("nobody answered", "TimeoutError") },
    { code: "approval_timed_out", message: "The approval of act timed out: nobody answered" },
  ],
  [
    "cancelled",
    { afterMs: 60_000, answer: new DOMException("the operator left", "AbortError") },
    { code: "approval_cancelled", message: "The approval of act was cancelled: the operator left" },
  ],
  [
    "broken",
    { afterMs: 60_000, answer: new Error("no connection") },
    { code: "approval_failed", message: "The approval of act failed: no connection" },
  ],
])("APPR-02: an approval that is %s is an error the cell may catch, and spends nothing", async (_, decision, error) => {
  const caught: unknown[] = [];
  const host = askingHost(
    async (guest) => {
      await guest.call("slow", { ms: 100 });
      await guest.call("act", { ask: "it" }).catch((thrown: unknown) => caught.push(thrown));
      return guest.call("hang");
    },
    { it: decision },
  );
  const { ms, result } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  expect(ms).toBe(UNTIL_MARGIN_MS + 60_000);
  expect(result).toMatchObject(waitingFor("hang", { guestMs: 0, toolsMs: UNTIL_MARGIN_MS, peopleMs: 60_000 }));
  expect(caught).toMatchObject([{ name: "ToolError", ...error }]);
  expect(host.acted).toEqual([]);
});

test("APPR-02: an uncaught denial fails the cell and leaves the run usable", async () => {
  const host = askingHost((guest) => guest.call("act", { ask: "no" }), { no: { afterMs: 10, answer: { deny: "no" } } });
  const exec = host.run.exec({ code: "main" });
  await host.clock.advance(10);
  expect(await exec).toMatchObject({
    status: "failed",
    error: "ToolError: no",
    calls: [{ name: "act", status: "failed" }],
  });
  expect(host.events.at(-1)).toMatchObject({ type: "cell-end", status: "failed" });
});

test("APPR-02: catching skips no gate: each call is asked about again, alone or in a batch", async () => {
  const host = askingHost(
    async (guest) => {
      for (let turn = 0; turn < 3; turn++) await guest.call("act", { ask: "no" }).catch(() => {});
      await Promise.allSettled([1, 2, 3].map(() => guest.call("act", { ask: "no" })));
      return "went on";
    },
    { no: { afterMs: 0, answer: { deny: "no" } } },
  );
  const { result } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  expect(result).toMatchObject({ status: "completed", value: "went on" });
  expect([host.person.asked.length, host.acted]).toEqual([6, []]);
});

test("APPR-02: aborting the call ends a pending approval, whose verdict then starts nothing", async () => {
  const host = askingHost((guest) => guest.call("act", { ask: "late" }).catch(() => "caught"), {
    late: { afterMs: 5_000 },
  });
  const controller = new AbortController();
  const exec = host.run.exec({ code: "main" }, { signal: controller.signal });
  await host.clock.advance(1_000);
  controller.abort();
  expect(await exec).toMatchObject({ status: "failed", code: "aborted", calls: [{ name: "act", status: "unknown" }] });
  await host.clock.advance(5_000);
  expect([host.acted, host.clock.armed()]).toEqual([[], 0]);
});

test.each([
  ["pending all the while it is parked", 1_234_567, HOUR_MS - 1_234_567],
  ["settled while it is parked", 2 * HOUR_MS, 0],
])(
  "APPR-03: a yielded cell's sibling %s: the next wait stands still with it, and parked time adds no budget",
  async (_, parkedMs, peopleMs) => {
    const host = askingHost(
      async (guest) => {
        const acting = guest.call("act", { ask: "slowly" });
        await guest.yieldControl();
        await acting;
        return guest.call("hang");
      },
      { slowly: { afterMs: HOUR_MS } },
      { config: { timeoutMs: 1_000, snapshotTtlSeconds: 86_400 } },
    );
    const exec = host.run.exec({ code: "main" });
    await host.clock.advance(0);
    const yielded = (await exec) as { runId: string };
    expect(yielded).toMatchObject({ status: "waiting", reason: "yield", pendingToolCalls: [{ name: "act" }] });
    await host.clock.advance(parkedMs);
    const { ms, result } = await lengthOf(host.clock, host.run.wait({ runId: yielded.runId }));
    expect(ms).toBe(peopleMs + UNTIL_MARGIN_MS);
    expect(result).toMatchObject(waitingFor("hang", { guestMs: 0, toolsMs: UNTIL_MARGIN_MS, peopleMs }));
  },
);

test("APPR-01: a cell that asks when little of its budget is left is not parked while the person thinks", async () => {
  const host = askingHost(
    async (guest) => {
      guest.burn(900);
      return guest.call("act", { ask: "it" });
    },
    { it: { afterMs: HOUR_MS, answer: { deny: "no" } } },
  );
  const { ms, result } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  expect(ms).toBe(900 + HOUR_MS);
  expect(result.telemetry.timing).toEqual({ guestMs: 900, toolsMs: 0, peopleMs: HOUR_MS });
});

test("TELE-01: the clocks of guest, tools and people are told apart", async () => {
  const host = askingHost(
    async (guest) => {
      guest.burn(7);
      await guest.call("slow", { ms: 20 });
      await guest.call("act", { ask: "it" });
      guest.burn(5);
      return "done";
    },
    { it: { afterMs: 300 } },
  );
  const { ms, result } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  expect([ms, result.telemetry.timing]).toEqual([332, { guestMs: 12, toolsMs: 20, peopleMs: 300 }]);
});

test("APPR-01: the host's run budget stands still while all calls of the run wait for people", async () => {
  const log: string[] = [];
  const host = askingHost(
    (guest) => guest.call("act", { ask: "it" }),
    { it: { afterMs: 500 } },
    {
      programs: {
        main: async (guest) => {
          await guest.call("slow", { ms: 100 });
          await guest.call("act", { ask: "it" });
          return "done";
        },
        busy: (guest) => guest.call("slow", { ms: 300 }),
      },
      run: {
        budget: {
          suspend: () => void log.push(`suspend ${host.clock.now() - 1_000}`),
          resume: () => void log.push(`resume ${host.clock.now() - 1_000}`),
        },
      },
    },
  );
  const busy = host.run.exec({ code: "busy" });
  const { ms } = await lengthOf(host.clock, host.run.exec({ code: "main" }));
  await busy;
  expect([ms, log]).toEqual([600, ["suspend 300", "resume 600"]]);
});

test("APPR-01: a direct call's approval stops the run budget; what the budget throws is a fault and no failure", async () => {
  const log: string[] = [];
  const host = askingHost(
    () => null,
    { it: { afterMs: 500 } },
    {
      run: {
        tools: [tool("camera", () => "shot", { directOnly: true })],
        budget: {
          suspend: () => void log.push("suspend"),
          resume() {
            throw new Error("no such timer");
          },
        },
      },
    },
  );
  const shot = host.run.handleToolCall("camera", { ask: "it" });
  await host.clock.advance(500);
  expect([await shot, log, host.faults]).toEqual([{ details: "shot" }, ["suspend"], [new Error("no such timer")]]);
});

test("APPR-02: a gate is asked whoever executes, and about MCP calls; a verdict that is none lets nothing through", async () => {
  const executed: string[] = [];
  const asked: string[] = [];
  let verdict: unknown = true;
  const { run } = createTestHost({
    programs: {
      own: (guest) => guest.call("act").catch(String),
      mcp: (guest) => guest.call("MCP.files.readFile").catch(String),
    },
    run: {
      tools: [tool("act", () => "acted")],
      mcp: [
        {
          name: "files",
          tools: [{ name: "read_file", inputSchema: { type: "object" } }],
          callTool: async () => ({ content: [] }),
        },
      ],
      executeTool: async (call, descriptor, context) => {
        executed.push(call.callableName);
        return createToolExecutor({})(call, descriptor, context);
      },
      approve: async (call) => {
        asked.push(call.callableName);
        return verdict as "allow";
      },
    },
  });
  const refusal = 'ToolError: the approval gate must give "allow" or { deny }, got true.';
  for (const code of ["own", "mcp"]) expect(await run.exec({ code })).toMatchObject({ value: refusal });
  expect(executed).toEqual([]);
  verdict = "allow";
  for (const code of ["own", "mcp"]) expect(await run.exec({ code })).toMatchObject({ status: "completed" });
  expect(executed).toEqual(["act", "MCP.files.readFile"]);
  expect(asked).toEqual(["act", "MCP.files.readFile", "act", "MCP.files.readFile"]);
});

test("ERR-06: a failed cell replays nothing and restores no grant: later calls run hooks and approvals again", async () => {
  const log: string[] = [];
  const grants = ["allow", { deny: "the grant is used up" }, "allow"] as const;
  let used = 0;
  const seen = (step: string, call: NestedCall): void => void log.push(`${step} ${call.callableName}`);
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: {
      fails: async (guest) => {
        await guest.call("write");
        throw new Error("after the write");
      },
      yields: async (guest) => {
        await guest.yieldControl();
        await guest.call("write");
        throw new Error("after the wait");
      },
      writes: (guest) => guest.call("write").catch(String),
    },
    run: {
      tools: [tool("write", () => void log.push("execute write"))],
      hooks: {
        beforeToolCall: async (call) => seen("hook", call),
        afterToolCall: async (call) => seen("after", call),
      },
      approve: async (call) => {
        seen("ask", call);
        return grants[used++] ?? { deny: "none left" };
      },
    },
  });
  const ofWrite = ["hook write", "ask write", "execute write", "after write"];
  const error = "Error: after the write";
  expect(await run.exec({ code: "fails" })).toMatchObject({
    status: "failed",
    error,
    calls: [{ status: "completed" }],
  });
  await clock.advance(HOUR_MS);
  expect(log.splice(0)).toEqual(["hook exec", ...ofWrite]);
  expect(await run.exec({ code: "writes" })).toMatchObject({ value: "ToolError: the grant is used up" });
  expect(log.splice(0)).toEqual(["hook exec", "hook write", "ask write"]);
  const { runId } = (await run.exec({ code: "yields" })) as { runId: string };
  expect(await run.wait({ runId })).toMatchObject({ status: "failed", error: "Error: after the wait" });
  expect(await run.wait({ runId })).toMatchObject({ error: "code mode run is unavailable or expired." });
  expect(log.splice(0)).toEqual(["hook exec", ...ofWrite]);
});
