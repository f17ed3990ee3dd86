import { expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred, tool, type Deferred } from "../test/fakes/test-host.js";

function failure({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

function fanOut(config: object) {
  const started: number[] = [];
  const gates = new Map<number, Deferred<number>>();
  const work = tool("work", ({ n }: { n: number }) => {
    started.push(n);
    const gate = deferred<number>();
    gates.set(n, gate);
    return gate.promise;
  });
  const made = createTestHost({
    config,
    programs: {
      all: async (guest) => Promise.all([0, 1, 2, 3, 4].map((n) => guest.call("work", { n }))),
      caught: async (guest) => {
        try {
          await Promise.all([0, 1, 2].map((n) => guest.call("work", { n })));
        } catch {
          return "caught";
        }
        return "none";
      },
      flood: async (guest) => Promise.all(Array.from({ length: 131 }, (_, n) => guest.call("work", { n }))),
      refill: async (guest) => {
        const first = guest.call("work", { n: 0 }).then(() => guest.call("work", { n: 10 }));
        return Promise.all([
          first,
          guest.call("work", { n: 1 }),
          guest.call("work", { n: 2 }),
          guest.call("work", { n: 3 }),
        ]);
      },
      waits: async (guest) => {
        await Promise.all([
          guest.call("work", { n: 0 }),
          new Promise<void>((resolve) => guest.setTimeout(resolve, 10)),
          new Promise<void>((resolve) => guest.setTimeout(resolve, 10)),
        ]);
      },
      mixed: async (guest) => Promise.all([guest.call("work", { n: 0 }), guest.search("work"), guest.describe("work")]),
    },
    run: { tools: [work] },
  });
  return { ...made, started, gates };
}

test("LIM-06: an oversized batch dispatches nothing and fails the cell even where the guest would catch", async () => {
  const { run, started, executor } = fanOut({ maxPendingToolCalls: 2 });
  expect(failure(await run.exec({ code: "caught" }))).toEqual({
    status: "failed",
    error:
      "too many pending tool calls: the cell started 3 at once, and 2 may be pending (maxPendingToolCalls 2). " +
      "None of the 3 was started. Await them in groups of at most 2.",
    code: "invalid_input",
    failurePhase: "bridge",
    calls: [],
  });
  expect([started, executor.counts.delivered, executor.counts.closed]).toEqual([[], 0, 1]);
});

test("LIM-06: the frontier counts all unsettled requests but timers and yields", async () => {
  const { run, gates, clock } = fanOut({ maxPendingToolCalls: 1 });
  const waits = run.exec({ code: "waits" });
  await clock.advance(10);
  gates.get(0)?.resolve(0);
  expect(await waits).toMatchObject({ status: "completed" });
  expect(await run.exec({ code: "mixed" })).toMatchObject({
    status: "failed",
    code: "invalid_input",
    failurePhase: "bridge",
  });
});

test("LIM-06: overflow queue keeps the order and refills one by one", async () => {
  const { run, started, gates } = fanOut({ maxPendingToolCalls: 2, overflow: "queue" });
  const exec = run.exec({ code: "all" });
  await settled();
  expect(started).toEqual([0, 1]);
  gates.get(1)?.resolve(1);
  await settled();
  expect(started).toEqual([0, 1, 2]);
  for (const n of [0, 2, 3, 4]) {
    gates.get(n)?.resolve(n);
    await settled();
  }
  expect(await exec).toMatchObject({ status: "completed", value: [0, 1, 2, 3, 4] });
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test("LIM-06: the queue is refilled after the guest's continuations ran, behind what was queued before", async () => {
  const { run, started, gates } = fanOut({ maxPendingToolCalls: 2, overflow: "queue" });
  const exec = run.exec({ code: "refill" });
  await settled();
  gates.get(0)?.resolve(0);
  await settled();
  for (const n of [1, 2, 3, 10]) {
    gates.get(n)?.resolve(n);
    await settled();
  }
  expect(await exec).toMatchObject({ status: "completed", value: [10, 1, 2, 3] });
  expect(started).toEqual([0, 1, 2, 3, 10]);
});

test("LIM-06: at most 128 calls queue", async () => {
  const { run, started } = fanOut({ maxPendingToolCalls: 2, overflow: "queue" });
  expect(failure(await run.exec({ code: "flood" }))).toMatchObject({
    error:
      "too many pending tool calls: the cell started 131 at once, and 130 may be pending (maxPendingToolCalls 2). " +
      "None of the 131 was started. Await them in groups of at most 2.",
  });
  expect(started).toEqual([]);
});

test("queued calls are listed while waiting and start after a resume", async () => {
  const { run, started, gates, clock } = fanOut({ maxPendingToolCalls: 2, overflow: "queue", timeoutMs: 1_000 });
  const exec = run.exec({ code: "all" });
  await clock.advance(750);
  const waiting = (await exec) as { runId: string; pendingToolCalls: unknown[] };
  expect([started, waiting.pendingToolCalls.length]).toEqual([[0, 1], 5]);
  gates.get(0)?.resolve(0);
  gates.get(1)?.resolve(1);
  const wait = run.wait({ runId: waiting.runId });
  await settled();
  for (const n of [2, 3, 4]) {
    gates.get(n)?.resolve(n);
    await settled();
  }
  expect(await wait).toMatchObject({ status: "completed", value: [0, 1, 2, 3, 4] });
});

test.each([
  ["a repeated id", { id: 1, method: "describe", binding: 0 }, "worker: request 1 is stale or repeated"],
  [
    "an unknown binding",
    { method: "call", binding: 99, input: "{}" },
    "worker: request 2 names the unknown binding 99",
  ],
  [
    "an input that is no object",
    { method: "call", binding: 0, input: "[1]" },
    "guest: the input of a call must be an object, got an array",
  ],
  ["an input that is no JSON", { method: "call", binding: 0, input: "{" }, "guest: the input of a call is not JSON"],
])("a worker that sends %s ends the cell", async (_name, request, problem) => {
  const calls: unknown[] = [];
  const { run } = createTestHost({
    programs: {
      main: async (guest) => {
        await guest.call("echo");
        await guest.request(request);
      },
    },
    run: { tools: [tool("echo", (input) => calls.push(input))] },
  });
  expect(failure(await run.exec({ code: "main" }))).toEqual({
    status: "failed",
    error: `CodeModeError: Malformed message from the ${problem}.`,
    code: "internal_error",
    failurePhase: "host",
    calls: [{ name: "echo", status: "completed" }],
  });
  expect(calls).toEqual([{}]);
});

test("CAT-02: a search's limit defaults to searchDefaultLimit and is clamped to maxSearchLimit", async () => {
  const tools = Array.from({ length: 12 }, (_, n) => tool(`ship_${n}`, () => null, { description: "Ship a parcel." }));
  const { run } = createTestHost({
    config: { searchDefaultLimit: 3, maxSearchLimit: 5 },
    programs: {
      main: async (guest) => [
        (await guest.search("ship parcel")).length,
        (await guest.search("ship parcel", 2)).length,
        (await guest.search("ship parcel", 50)).length,
        (await guest.search("ship parcel", 0)).length,
        await guest.search("zebra"),
      ],
    },
    run: { tools },
  });
  const result = await run.exec({ code: "main" });
  expect(result).toMatchObject({ status: "completed", value: [3, 2, 5, 1, []] });
  expect(result.telemetry.searchCount).toBe(5);
});

test("CAT-03: a match list beyond the output budget is an error with guidance", async () => {
  const tools = Array.from({ length: 20 }, (_, n) => tool(`parcel_${"x".repeat(55)}_${n}`, () => null));
  const { run } = createTestHost({
    config: { maxOutputBytes: 1_024, maxToolResultBytes: 4_096 },
    programs: {
      main: (guest) => guest.search("parcel", 20).catch(String),
    },
    run: { tools },
  });
  const { value } = (await run.exec({ code: "main" })) as { value: string };
  expect(value).toMatch(
    /^RangeError: The names of 20 matches take \d+ bytes; 1024 are allowed \(maxOutputBytes\)\. Narrow the query or lower limit\.$/,
  );
});

function timersHost(count: number, cleared: number) {
  const calls: string[] = [];
  const made = createTestHost({
    programs: {
      main: (guest) => {
        const ids = Array.from({ length: count }, () => guest.setTimeout(() => {}, 50_000));
        for (const id of ids.slice(0, cleared)) guest.clearTimeout(id);
        return guest.call("echo");
      },
    },
    run: { tools: [tool("echo", () => calls.push("echo"))] },
  });
  return { ...made, calls };
}

test("LIM-06: more than 10,000 outstanding timers fail the cell before anything of that step is started", async () => {
  const { run, clock, calls } = timersHost(10_001, 0);
  expect(failure(await run.exec({ code: "main" }))).toEqual({
    status: "failed",
    error:
      "too many outstanding timers: 10001, and 10000 are allowed. " +
      "Nothing of the last step was started. Clear timers, or await them in groups.",
    code: "invalid_input",
    failurePhase: "bridge",
    calls: [],
  });
  expect([calls, clock.armed()]).toEqual([[], 0]);
});

test("LIM-06: a timer that was cleared in the same step is not outstanding", async () => {
  const { run, clock, calls } = timersHost(10_005, 5);
  const result = await run.exec({ code: "main" });
  expect(failure(result)).toEqual({
    status: "completed",
    value: 1,
    warnings: [
      "Cancelled 10000 timer(s) that would have fired after the result: " +
        "50000 ms, 50000 ms, 50000 ms, 50000 ms, 50000 ms, and 9995 more.",
    ],
  });
  expect([calls, clock.armed()]).toEqual([["echo"], 0]);
});
