import { expect, test } from "vitest";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";
import { settled } from "../test/fakes/fake-clock.js";

const echo = tool("echo", (input) => input);

test("EXEC-06, CALL-02: a cell gets details values, and its value and output are the result", async () => {
  const { run } = createTestHost({
    programs: {
      main: async (guest) => {
        guest.text("before");
        const got = await guest.call("echo", { a: [1, null] });
        guest.text("after");
        return { got };
      },
    },
    run: { tools: [echo] },
  });
  const { telemetry, replaySafe: _, ...result } = await run.exec({ code: "main" });
  expect(result).toEqual({
    status: "completed",
    value: { got: { a: [1, null] } },
    output: [
      { type: "text", text: "before" },
      { type: "text", text: "after" },
    ],
  });
  expect(telemetry.callCount).toBe(1);
});

test("EXEC-05: a hundred sequential calls under maxPendingToolCalls 1 finish in one exec, with no snapshot", async () => {
  const { run, executor } = createTestHost({
    config: { maxPendingToolCalls: 1 },
    programs: {
      main: async (guest) => {
        let sum = 0;
        for (let i = 0; i < 100; i++) sum += (await guest.call("echo", { i })) === undefined ? 0 : 1;
        return sum;
      },
    },
    run: { tools: [echo] },
  });
  expect(await run.exec({ code: "main" })).toMatchObject({ status: "completed", value: 100 });
  expect(executor.counts).toMatchObject({ opened: 1, delivered: 100, parked: 0, closed: 1 });
});

test("EXEC-04: parallel calls start at once; replies go back in settlement order, in one delivery per rest", async () => {
  const gates = [deferred(), deferred(), deferred(), deferred()];
  const started: number[] = [];
  const slow = tool("slow", async ({ n }: { n: number }) => {
    started.push(n);
    return gates[n]?.promise;
  });
  const seen: string[] = [];
  const { run, executor } = createTestHost({
    programs: {
      main: async (guest) => {
        const calls = [0, 1, 2, 3].map(async (n) => seen.push((await guest.call("slow", { n })) as string));
        await Promise.all(calls);
        return seen;
      },
    },
    run: { tools: [slow] },
  });
  const result = run.exec({ code: "main" });
  await settled();
  expect(started).toEqual([0, 1, 2, 3]);
  gates[2]?.resolve("c");
  await settled();
  gates[3]?.resolve("d");
  gates[0]?.resolve("a");
  gates[1]?.resolve("b");
  expect(await result).toMatchObject({ status: "completed", value: ["c", "d", "a", "b"] });
  expect(executor.deliveries).toEqual([[3], [4, 1, 2]]);
});

test("ERR-01, ERR-02, EXEC-11: a failed call is a catchable error; uncaught it fails the cell and leaves the run usable", async () => {
  class PaymentError extends Error {
    override readonly name = "PaymentError";
    readonly code = "card_declined";
    readonly secret = { host: true };
  }
  const pay = tool("pay", () => {
    throw new PaymentError("declined");
  });
  const { run } = createTestHost({
    programs: {
      caught: async (guest) => {
        try {
          return await guest.call("pay");
        } catch (error) {
          const { name, message, code, secret } = error as PaymentError;
          return { name, message, code, secret };
        }
      },
      uncaught: async (guest) => {
        await guest.call("echo");
        await guest.call("pay");
      },
    },
    run: { tools: [echo, pay] },
  });
  expect(await run.exec({ code: "caught" })).toMatchObject({
    status: "completed",
    value: { name: "PaymentError", message: "declined", code: "card_declined" },
  });
  const { telemetry, replaySafe: _, ...result } = await run.exec({ code: "uncaught" });
  expect(result).toEqual({
    status: "failed",
    error: "PaymentError: declined",
    failurePhase: "guest",
    calls: [
      { name: "echo", status: "completed" },
      { name: "pay", status: "failed" },
    ],
  });
  expect(telemetry.callCount).toBe(3);
  expect(await run.exec({ code: "caught" })).toMatchObject({ status: "completed" });
});

test("EXEC-09: a cell that waits for nothing fails at once", async () => {
  const { run } = createTestHost({ programs: { main: () => new Promise(() => {}) } });
  const { telemetry: _, replaySafe: __, ...result } = await run.exec({ code: "main" });
  expect(result).toEqual({
    status: "failed",
    error: "Error: code mode promise is pending without host work",
    failurePhase: "guest",
    calls: [],
  });
});

test("EXEC-03: refused arguments never reach the executor", async () => {
  const { run, executor, events } = createTestHost({});
  const { telemetry: _, replaySafe: __, ...result } = await run.exec({ code: " \n" });
  expect(result).toEqual({
    status: "failed",
    error: "code or command must be a non-empty string.",
    code: "invalid_input",
    failurePhase: "input",
  });
  expect([executor.counts.opened, events]).toEqual([0, []]);
});

test("an unknown outcome of the executor is a failed result, never a thrown error", async () => {
  const { run } = createTestHost({});
  const { telemetry: _, replaySafe: __, ...result } = await run.exec({ code: "missing" });
  expect(result).toEqual({
    status: "failed",
    error: "Error: no program missing",
    code: "internal_error",
    failurePhase: "host",
    calls: [],
  });
});

test("CALL-03: a terminal outcome ends the cell and cannot be caught; calls under way are unknown", async () => {
  const stop = { ...tool("stop", () => null), execute: () => ({ details: { why: "denied" }, terminal: true }) };
  const slow = tool("slow", () => deferred().promise);
  const { run, executor } = createTestHost({
    programs: {
      main: async (guest) => {
        void guest.call("slow");
        try {
          await guest.call("stop");
        } catch {
          return "caught";
        }
        return "went on";
      },
    },
    run: { tools: [slow, stop] },
  });
  const { telemetry: _, replaySafe: __, ...result } = await run.exec({ code: "main" });
  expect(result).toEqual({
    status: "failed",
    error: 'stop ended the cell: {"why":"denied"}',
    failurePhase: "bridge",
    calls: [
      { name: "slow", status: "unknown" },
      { name: "stop", status: "completed" },
    ],
  });
  expect(executor.counts).toMatchObject({ delivered: 0, closed: 1 });
});

test("an approval suspends the budget; exactly the unused part remains", async () => {
  const answer = deferred<"allow">();
  const never = deferred();
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: {
      main: async (guest) => {
        await guest.call("echo");
        return guest.call("never");
      },
    },
    run: {
      tools: [echo, tool("never", () => never.promise)],
      approve: async (call) => (call.toolName === "echo" ? answer.promise : "allow"),
    },
  });
  const result = run.exec({ code: "main" });
  await clock.advance(3_600_000);
  answer.resolve("allow");
  await clock.advance(749);
  let isDone = false;
  void result.then(() => (isDone = true));
  await settled();
  expect(isDone).toBe(false);
  await clock.advance(1);
  const waiting = await result;
  expect(waiting).toMatchObject({ status: "waiting", reason: "pending_tools" });
  expect(waiting.telemetry.timing).toEqual({ guestMs: 0, toolsMs: 750, peopleMs: 3_600_000 });
});

test("LIM-01: guest time counts also while a person is asked", async () => {
  const { run } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: {
      main: async (guest) => {
        void guest.call("ask");
        await guest.call("echo");
        guest.burn(1_200);
        return "late";
      },
    },
    run: { tools: [echo, tool("ask", () => deferred().promise, { humanPaced: true })] },
  });
  expect(await run.exec({ code: "main" })).toMatchObject({ status: "failed", code: "timeout", failurePhase: "guest" });
});

test("partial updates of a nested call reach the caller while the call lasts", async () => {
  const updates: unknown[] = [];
  let late: (partial: unknown) => void = () => {};
  const stream = tool("stream", (_input, context) => {
    context.onUpdate("half");
    late = context.onUpdate;
    return "done";
  });
  const { run } = createTestHost({ programs: { main: (guest) => guest.call("stream") }, run: { tools: [stream] } });
  await run.exec({ code: "main" }, { onUpdate: ({ call, partial }) => updates.push([call.toolName, partial]) });
  late("too late");
  expect(updates).toEqual([["stream", "half"]]);
});

test("an observer of updates that throws is reported and does not fail the call", async () => {
  const stream = tool("stream", (_input, context) => {
    context.onUpdate("half");
    return "done";
  });
  const { run, faults } = createTestHost({
    programs: { main: (guest) => guest.call("stream") },
    run: { tools: [stream] },
  });
  const onUpdate = (): void => {
    throw new Error("observer");
  };
  expect(await run.exec({ code: "main" }, { onUpdate })).toMatchObject({ status: "completed", value: "done" });
  expect(faults).toEqual([new Error("observer")]);
});

test("LIM-07: a nested result above maxToolResultBytes arrives as the truncation marker", async () => {
  const big = tool("big", () => "x".repeat(5_000));
  const { run } = createTestHost({
    config: { maxToolResultBytes: 1_024 },
    programs: { main: (guest) => guest.call("big") },
    run: { tools: [big] },
  });
  const result = await run.exec({ code: "main" });
  const value = (result as { value: { truncated: boolean; prefix: string; omittedBytes: number } }).value;
  expect(value.truncated).toBe(true);
  expect(value.omittedBytes).toBe(5_002 - Buffer.byteLength(value.prefix));
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(1_024);
});

test("every cell gets the run's seed", async () => {
  const { run, executor } = createTestHost({ programs: { main: () => 1 }, run: { seed: { random: 7, now: 1 } } });
  await run.exec({ code: "main" });
  expect(executor.starts).toMatchObject([{ type: "source", source: "main", seed: { random: 7, now: 1 } }]);
});
