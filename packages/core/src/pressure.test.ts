import { expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred, tool, type TestHost, type TestHostOptions } from "../test/fakes/test-host.js";

const MEMORY_BYTES = 1_000;

function plain({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

/** A cell that awaits calls `a` and `b` of a slow tool, after one another or at once. */
function pressedHost(options: Partial<TestHostOptions> = {}) {
  const gates = { a: deferred<string>(), b: deferred<string>() };
  const calls: string[] = [];
  const signals: AbortSignal[] = [];
  const slow = tool("slow", ({ key }: { key: "a" | "b" }, { signal }) => {
    calls.push(key);
    signals.push(signal);
    return gates[key].promise;
  });
  const made = createTestHost({
    config: { timeoutMs: 1_000 },
    maxParkingMemoryBytes: MEMORY_BYTES,
    ...options,
    programs: {
      one: async (guest) => {
        guest.text("start");
        const got = await guest.call("slow", { key: "a" });
        guest.text("end");
        return got;
      },
      sequence: async (guest) => [await guest.call("slow", { key: "a" }), await guest.call("slow", { key: "b" })],
      together: (guest) =>
        Promise.all(["a", "b"].map((key) => guest.call("slow", { key }).then((got) => (guest.text(String(got)), got)))),
      ...options.programs,
    },
    run: { tools: [slow, ...(options.run?.tools ?? [])] },
  });
  /** Starts a cell and makes it leave its worker. */
  const aside = async (program: string, call = {}): Promise<Promise<CodeModeResult>[]> => {
    const exec = made.run.exec({ code: program }, call);
    await settled();
    made.executor.press();
    await settled();
    expect(made.executor.counts).toMatchObject({ opened: 1, parked: 1, closed: 1 });
    return [exec];
  };
  return { ...made, gates, calls, signals, aside };
}

/** Nothing is left: no session, no timer, no byte of parking memory, no fault. */
function expectNothingLeft({ executor, clock, parkingMemory, faults }: TestHost): void {
  const space = parkingMemory.reserve(MEMORY_BYTES);
  expect([executor.counts.closed, clock.armed(), space.bytes, faults]).toEqual([
    executor.counts.opened,
    0,
    MEMORY_BYTES / 2,
    [],
  ]);
  space.free();
}

test("WAIT-12: a pressed cell leaves its worker and goes on in the same call, without the store", async () => {
  const host = pressedHost();
  const { aside, clock, executor, gates, calls, events } = host;
  const [exec] = await aside("sequence");
  await clock.advance(100);
  gates.a.resolve("A");
  await settled();
  expect(executor.counts).toMatchObject({ opened: 2, resumed: 1, closed: 1 });
  executor.press();
  await settled();
  gates.b.resolve("B");
  expect(plain((await exec) as CodeModeResult)).toEqual({ status: "completed", value: ["A", "B"] });
  expect([calls, executor.counts]).toEqual([
    ["a", "b"],
    { opened: 3, started: 1, resumed: 2, delivered: 0, parked: 2, closed: 3 },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    "cell-start",
    "call-start",
    "call-end",
    "call-start",
    "call-end",
    "cell-end",
  ]);
  expectNothingLeft(host);
});

test("WAIT-12: replies that came while it had no worker are delivered in settlement order", async () => {
  const host = pressedHost();
  const { aside, executor, gates } = host;
  const worker = deferred<undefined>();
  const [exec] = await aside("together");
  executor.workerGate = worker.promise;
  gates.b.resolve("B");
  gates.a.resolve("A");
  await settled();
  worker.resolve(undefined);
  expect(plain((await exec) as CodeModeResult)).toEqual({
    status: "completed",
    value: ["A", "B"],
    output: [
      { type: "text", text: "B" },
      { type: "text", text: "A" },
    ],
  });
  expect(executor.deliveries).toEqual([[2, 1]]);
  expectNothingLeft(host);
});

test("WAIT-12: a cell parked at its boundary goes on in the same call, at every boundary anew", async () => {
  const host = pressedHost();
  const { run, executor, gates, calls, parkingMemory } = host;
  executor.parksAtOnce = true;
  const exec = run.exec({ code: "sequence" });
  await settled();
  expect(executor.counts).toEqual({ opened: 1, started: 1, resumed: 0, delivered: 0, parked: 1, closed: 1 });
  const space = parkingMemory.reserve(MEMORY_BYTES);
  expect(space.bytes).toBe((MEMORY_BYTES - 8) / 2);
  space.free();
  gates.a.resolve("A");
  await settled();
  gates.b.resolve("B");
  expect(plain(await exec)).toEqual({ status: "completed", value: ["A", "B"] });
  expect([calls, executor.counts]).toEqual([
    ["a", "b"],
    { opened: 3, started: 1, resumed: 2, delivered: 0, parked: 2, closed: 3 },
  ]);
  expectNothingLeft(host);
});

test("WAIT-12: a cell parked at its boundary goes to the store at the margin, and the next call goes on", async () => {
  const host = pressedHost();
  const { run, clock, executor, gates } = host;
  executor.parksAtOnce = true;
  const exec = run.exec({ code: "one" });
  await clock.advance(750);
  const { runId } = (await exec) as { runId: string };
  const second = run.wait({ runId });
  gates.a.resolve("A");
  expect(plain(await second)).toMatchObject({ status: "completed", value: "A" });
  expect(executor.counts).toMatchObject({ opened: 2, resumed: 1, parked: 1 });
  expectNothingLeft(host);
});

test("an executor that parks more than there is room for fails the cell", async () => {
  const host = pressedHost();
  const { run, executor } = host;
  executor.parksAtOnce = true;
  const exec = run.exec({ code: "one" });
  // After it was asked for room.
  executor.snapshotBytes = MEMORY_BYTES;
  executor.ignoresRoom = true;
  expect(await exec).toMatchObject({
    status: "failed",
    error: "Error: the executor parked a cell that it had no room for",
    code: "internal_error",
  });
  expectNothingLeft(host);
});

test("a cell that has a reply goes on instead of parking, whenever it is pressed", async () => {
  const host = pressedHost({
    programs: {
      lookups: async (guest) => {
        for (let turn = 0; turn < 5; turn++) await guest.search("slow");
        return "found";
      },
    },
  });
  const exec = host.run.exec({ code: "lookups" });
  for (let moment = 0; moment < 200; moment++) {
    host.executor.press();
    await (moment % 4 === 0 ? new Promise(setImmediate) : Promise.resolve());
  }
  expect(plain(await exec)).toEqual({ status: "completed", value: "found" });
  expect(host.executor.counts).toMatchObject({ opened: 1, delivered: 5, parked: 0 });
  expectNothingLeft(host);
});

test.each([
  ["over maxSnapshotBytes", (host: TestHost) => void (host.executor.isParkTooLarge = true)],
  ["over what is left of the parking memory", (host: TestHost) => void (host.executor.snapshotBytes = 501)],
])("WAIT-12: a cell %s stays live on its worker", async (_case, makeLarge) => {
  const host = pressedHost();
  makeLarge(host);
  const { run, executor, gates } = host;
  const exec = run.exec({ code: "one" });
  await settled();
  executor.press();
  await settled();
  expect(executor.counts).toMatchObject({ opened: 1, parked: 0, closed: 0 });
  gates.a.resolve("A");
  expect(await exec).toMatchObject({ status: "completed", value: "A" });
  expect(executor.counts).toMatchObject({ opened: 1, delivered: 1, resumed: 0 });
  expectNothingLeft(host);
});

test("parked cells share the parking memory, and each gives its part back when it goes on", async () => {
  const host = pressedHost();
  const { run, executor, gates, parkingMemory } = host;
  executor.snapshotBytes = 400;
  const cells = [run.exec({ code: "one" }), run.exec({ code: "one" }), run.exec({ code: "one" })];
  await settled();
  executor.press();
  await settled();
  // 400 of 1,000 leave room for 300: only one fits.
  expect(executor.counts.parked).toBe(1);
  const space = parkingMemory.reserve(MEMORY_BYTES);
  expect(space.bytes).toBe(300);
  space.free();
  gates.a.resolve("A");
  for (const result of await Promise.all(cells)) expect(result).toMatchObject({ status: "completed", value: "A" });
  expectNothingLeft(host);
});

test("WAIT-12: at the margin a cell without a worker goes from memory to the store", async () => {
  const host = pressedHost();
  const { run, aside, clock, executor, gates, calls, events } = host;
  const [exec] = await aside("one");
  await clock.advance(750);
  const waiting = (await exec) as CodeModeResult;
  expect(plain(waiting)).toEqual({
    status: "waiting",
    runId: expect.stringMatching(/^cm_id-\d+$/) as unknown,
    reason: "pending_tools",
    pendingToolCalls: [{ id: expect.any(String) as unknown, name: "slow" }],
    output: [{ type: "text", text: "start" }],
  });
  expect(executor.counts).toMatchObject({ opened: 1, parked: 1, closed: 1 });
  expect(events.at(-1)).toMatchObject({ type: "cell-park", bytes: 8 });
  const { runId } = waiting as { runId: string };
  const second = run.wait({ runId });
  gates.a.resolve("A");
  expect(plain(await second)).toEqual({
    status: "completed",
    value: "A",
    output: [{ type: "text", text: "end" }],
  });
  expect(calls).toEqual(["a"]);
  expectNothingLeft(host);
});

test("WAIT-12: a resumed run that is pressed keeps its lease, and parks again in its own slot", async () => {
  const host = pressedHost({ maxSuspended: 1 });
  const { run, clock, executor, gates } = host;
  const exec = run.exec({ code: "sequence" });
  await clock.advance(750);
  const { runId } = (await exec) as { runId: string };
  const second = run.wait({ runId });
  gates.a.resolve("A");
  await settled();
  executor.press();
  await settled();
  expect(plain(await run.wait({ runId }))).toMatchObject({ error: "code mode run is already being resumed." });
  await clock.advance(750);
  expect(plain(await second)).toMatchObject({ status: "waiting", runId });
  gates.b.resolve("B");
  expect(plain(await run.wait({ runId }))).toEqual({ status: "completed", value: ["A", "B"] });
  expectNothingLeft(host);
});

test("WAIT-12: a cell that finds no worker before the margin waits in the store, and loses no reply", async () => {
  const host = pressedHost();
  const { run, aside, clock, executor, gates } = host;
  const worker = deferred<undefined>();
  const [exec] = await aside("together");
  executor.workerGate = worker.promise;
  gates.b.resolve("B");
  await clock.advance(749);
  expect(executor.counts).toMatchObject({ opened: 2, resumed: 0 });
  await clock.advance(1);
  const waiting = (await exec) as CodeModeResult;
  expect(plain(waiting)).toMatchObject({ status: "waiting", reason: "pending_tools" });
  const { runId } = waiting as { runId: string };

  const second = run.wait({ runId });
  gates.a.resolve("A");
  await clock.advance(750);
  expect(plain(await second)).toEqual({ status: "waiting", runId, reason: "pending_tools" });

  worker.resolve(undefined);
  expect(plain(await run.wait({ runId }))).toMatchObject({ status: "completed", value: ["A", "B"] });
  expect(executor.deliveries).toEqual([[2, 1]]);
  expectNothingLeft(host);
});

test("WAIT-10: a wait that finds no worker renews the life of the run it leaves parked", async () => {
  const host = pressedHost({ config: { timeoutMs: 4_000, snapshotTtlSeconds: 4 } });
  const { run, clock, executor, gates } = host;
  const exec = run.exec({ code: "one" });
  await clock.advance(3_750);
  const { runId } = (await exec) as { runId: string };
  const worker = deferred<undefined>();
  executor.workerGate = worker.promise;
  const second = run.wait({ runId });
  gates.a.resolve("A");
  await clock.advance(3_750);
  expect(plain(await second)).toMatchObject({ status: "waiting", runId });
  await clock.advance(3_999);
  worker.resolve(undefined);
  expect(plain(await run.wait({ runId }))).toMatchObject({ status: "completed", value: "A" });
  expectNothingLeft(host);
});

test("WAIT-11: a store that takes a cell from memory and does not answer ends the call, and keeps no memory", async () => {
  for (const end of ["timeout", "aborted"] as const) {
    const controller = new AbortController();
    const host = pressedHost({ store: () => ({ park: () => new Promise(() => {}) }) });
    const [exec] = await host.aside("one", { signal: controller.signal });
    await host.clock.advance(750);
    if (end === "aborted") controller.abort();
    else await host.clock.advance(750);
    expect(await exec).toMatchObject({ status: "failed", code: end });
    expectNothingLeft(host);
  }
});

test("EXEC-07: a cell whose result has settled drains without a worker, and its late timers are dropped", async () => {
  const host = pressedHost({
    programs: {
      late: (guest) => {
        guest.setTimeout(() => guest.text("never"), 60_000);
        void guest.call("slow", { key: "a" }).then(() => guest.text("drained"));
        return "value";
      },
    },
  });
  const [exec] = await host.aside("late");
  host.gates.a.resolve("A");
  expect(plain((await exec) as CodeModeResult)).toEqual({
    status: "completed",
    value: "value",
    output: [{ type: "text", text: "drained" }],
    warnings: ["Cancelled 1 timer(s) that would have fired after the result: 60000 ms."],
  });
  expectNothingLeft(host);
});

test("a timer that rings while the cell has no worker makes it go on", async () => {
  const host = pressedHost({
    programs: { timer: (guest) => new Promise((resolve) => guest.setTimeout(() => resolve("rang"), 300)) },
  });
  const [exec] = await host.aside("timer");
  await host.clock.advance(300);
  expect(plain((await exec) as CodeModeResult)).toEqual({ status: "completed", value: "rang" });
  expectNothingLeft(host);
});

test("OWN-04: waiting for people stops the budget of a cell without a worker too", async () => {
  const person = deferred<string>();
  const host = pressedHost({
    programs: { ask: (guest) => guest.call("ask") },
    run: { tools: [tool("ask", () => person.promise, { humanPaced: true })] },
  });
  const [exec] = await host.aside("ask");
  await host.clock.advance(100_000);
  person.resolve("yes");
  const result = (await exec) as CodeModeResult;
  expect(plain(result)).toEqual({ status: "completed", value: "yes" });
  expect(result.telemetry.timing).toEqual({ guestMs: 0, toolsMs: 0, peopleMs: 100_000 });
  expectNothingLeft(host);
});

test("OWN-01: cancelling, and closing the host, end a cell without a worker and its calls", async () => {
  for (const end of ["abort", "close"] as const) {
    const host = pressedHost();
    const controller = new AbortController();
    const [exec] = await host.aside("one", { signal: controller.signal });
    if (end === "abort") controller.abort();
    else await host.host.close();
    expect(await exec).toMatchObject({
      status: "failed",
      code: "aborted",
      calls: [{ name: "slow", status: "unknown" }],
    });
    expect(host.signals[0]?.aborted).toBe(true);
    host.gates.a.resolve("late");
    await settled();
    expectNothingLeft(host);
  }
});

test("a yield parks for real, pressed or not", async () => {
  const host = pressedHost({ programs: { yields: (guest) => guest.yieldControl() } });
  const exec = host.run.exec({ code: "yields" });
  for (let turn = 0; turn < 6; turn++) {
    host.executor.press();
    await new Promise(setImmediate);
  }
  const { runId } = (await exec) as { runId: string };
  expect(host.executor.counts).toMatchObject({ parked: 1 });
  expect(await host.run.wait({ runId })).toMatchObject({ status: "completed", value: null });
  expectNothingLeft(host);
});

type Action = "at-once" | "press" | "settle-a" | "settle-b" | "abort" | "margin" | "block" | "unblock" | "turn";
const ACTIONS: readonly Action[] = [
  "at-once",
  "press",
  "settle-a",
  "settle-b",
  "abort",
  "margin",
  "block",
  "unblock",
  "turn",
];

/** Plays a program of actions against one cell, a few turns apart, and then lets it come to its end. */
async function play(actions: readonly { readonly action: Action; readonly turns: number }[]) {
  const host = pressedHost();
  const { run, clock, executor, gates } = host;
  const controller = new AbortController();
  let worker = deferred<undefined>();
  worker.resolve(undefined);
  let result: CodeModeResult | undefined;
  void run.exec({ code: "together" }, { signal: controller.signal }).then((got) => (result = got));
  for (const { action, turns } of actions) {
    if (action === "at-once") executor.parksAtOnce = !executor.parksAtOnce;
    else if (action === "press") executor.press();
    else if (action === "settle-a") gates.a.resolve("A");
    else if (action === "settle-b") gates.b.resolve("B");
    else if (action === "abort") controller.abort();
    else if (action === "margin") await clock.advance(750);
    else if (action === "unblock") worker.resolve(undefined);
    else if (action === "block") {
      worker.resolve(undefined);
      worker = deferred();
      executor.workerGate = worker.promise;
    }
    for (let turn = 0; turn < turns; turn++) await (turns % 2 === 0 ? Promise.resolve() : new Promise(setImmediate));
  }
  worker.resolve(undefined);
  gates.a.resolve("A");
  gates.b.resolve("B");
  await settled();
  await settled();
  if (result?.status === "waiting") result = await run.wait({ runId: result.runId });
  await host.host.close();
  return { host, result };
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("WAIT-12: pressure, replies, cancelling, the margin and a busy pool may come in any order", async () => {
  const seen = { completed: 0, failed: 0, resumed: 0, parked: 0 };
  for (let seed = 1; seed <= 300; seed++) {
    const next = random(seed);
    const actions = Array.from({ length: 2 + Math.floor(next() * 7) }, () => ({
      action: ACTIONS[Math.floor(next() * ACTIONS.length)] as Action,
      turns: Math.floor(next() * 8),
    }));
    const { host, result } = await play(actions);
    const isAborted = actions.some(({ action }) => action === "abort");
    const what = JSON.stringify({ seed, actions, result });
    if (result?.status === "completed") expect(result.value, what).toEqual(["A", "B"]);
    else
      expect([result?.status, isAborted, (result as { code?: string } | undefined)?.code], what).toEqual([
        "failed",
        true,
        "aborted",
      ]);
    // At most once each; a cell cancelled at once makes none.
    expect([[], ["a", "b"]], what).toContainEqual(host.calls);
    expectNothingLeft(host);
    seen[result?.status === "completed" ? "completed" : "failed"]++;
    seen.resumed += host.executor.counts.resumed;
    seen.parked += host.executor.counts.parked;
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > 20]).toEqual([what, true]);
});
