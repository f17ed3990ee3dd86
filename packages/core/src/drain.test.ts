import { expect, test } from "vitest";
import { createFakeClock, settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";
import type { Cell } from "./cell.js";
import { dropLeftoverTimers } from "./drain.js";
import { HostWorkTable } from "./host-work.js";

test("GUEST-08: timers due within one second after the result still run; later ones are cancelled and named", async () => {
  const { run, clock } = createTestHost({
    programs: {
      main: (guest) => {
        guest.setTimeout(() => guest.text("soon"), 900);
        guest.setTimeout(() => guest.text("never"), 1_001);
        guest.setTimeout(() => guest.text("never"), 60_000);
        return "value";
      },
    },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(900);
  const { telemetry: _, replaySafe: __, ...result } = await exec;
  expect(result).toEqual({
    status: "completed",
    value: "value",
    output: [{ type: "text", text: "soon" }],
    warnings: ["Cancelled 2 timer(s) that would have fired after the result: 1001 ms, 60000 ms."],
  });
  expect(clock.armed()).toBe(0);
});

test("GUEST-08: timers do not hold the result back when all of them are late", async () => {
  const { run } = createTestHost({
    programs: {
      main: (guest) => {
        for (let n = 0; n < 7; n++) guest.setTimeout(() => {}, 5_000 + n);
        return 1;
      },
    },
  });
  expect(await run.exec({ code: "main" })).toMatchObject({
    status: "completed",
    warnings: [
      "Cancelled 7 timer(s) that would have fired after the result: 5000 ms, 5001 ms, 5002 ms, 5003 ms, 5004 ms, and 2 more.",
    ],
  });
});

test("GUEST-08: an interval is cancelled as soon as the result has settled, a timer beside it still runs", async () => {
  const { run, clock } = createTestHost({
    programs: {
      main: (guest) => {
        guest.setInterval(() => guest.text("never"), 400);
        guest.setTimeout(() => guest.text("timer"), 500);
        return "value";
      },
    },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(2_000);
  expect(await exec).toMatchObject({
    status: "completed",
    output: [{ type: "text", text: "timer" }],
    warnings: ["Cancelled 1 timer(s) that would have fired after the result: 400 ms."],
  });
});

test("EXEC-07: detached calls are drained before completion, and timers wait for them", async () => {
  const gate = deferred();
  const { run, clock } = createTestHost({
    programs: {
      main: (guest) => {
        guest.setTimeout(() => guest.text("timer"), 3_000);
        void guest.call("slow").then(() => guest.text("drained"));
        return "value";
      },
    },
    run: { tools: [tool("slow", () => gate.promise)] },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(3_500);
  gate.resolve(null);
  expect(await exec).toMatchObject({
    status: "completed",
    value: "value",
    output: [
      { type: "text", text: "timer" },
      { type: "text", text: "drained" },
    ],
  });
});

test("a cleared timer is stopped on the host and leaves nothing to wait for", async () => {
  const { run, clock } = createTestHost({
    programs: {
      main: async (guest) => {
        const timer = guest.setTimeout(() => guest.text("never"), 60_000);
        await new Promise<void>((resolve) => guest.setTimeout(resolve, 10));
        guest.clearTimeout(timer);
        await new Promise<void>((resolve) => guest.setTimeout(resolve, 10));
        return "cleared";
      },
    },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(20);
  const { telemetry: _, replaySafe: __, ...result } = await exec;
  expect(result).toEqual({ status: "completed", value: "cleared" });
  expect(clock.armed()).toBe(0);
});

test("a timer that is set and cleared in one step leaves nothing behind", async () => {
  const gate = deferred();
  const { run, clock } = createTestHost({
    programs: {
      main: (guest) => {
        guest.clearTimeout(guest.setTimeout(() => guest.text("never"), 60_000));
        return guest.call("slow");
      },
    },
    run: { tools: [tool("slow", () => gate.promise)] },
  });
  const exec = run.exec({ code: "main" });
  await settled();
  expect(clock.armed()).toBe(1); // the deadline
  gate.resolve("done");
  const { telemetry: _, replaySafe: __, ...result } = await exec;
  expect(result).toEqual({ status: "completed", value: "done" });
});

test("WAIT-03: timers run on the host while the cell is parked", async () => {
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: { main: (guest) => new Promise((resolve) => guest.setTimeout(() => resolve("rang"), 2_000)) },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(750);
  const { telemetry: _, replaySafe: __, ...waiting } = await exec;
  expect(waiting).toEqual({
    status: "waiting",
    runId: expect.stringMatching(/^cm_/) as unknown,
    reason: "pending_tools",
  });
  await clock.advance(1_250);
  await settled();
  expect(await run.wait({ runId: (waiting as { runId: string }).runId })).toMatchObject({
    status: "completed",
    value: "rang",
  });
});

test("EXEC-07: timers that set timers come to an end one second after the result, with one short warning", async () => {
  let fired = 0;
  const { run, clock } = createTestHost({
    programs: {
      main: (guest) => {
        const again = (): void => {
          fired++;
          guest.burn(10);
          guest.setTimeout(again, 0);
          guest.setInterval(() => {}, 7);
        };
        guest.setTimeout(again, 0);
        return "value";
      },
    },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(5_000);
  const { telemetry: _, replaySafe: __, ...result } = await exec;
  expect(fired).toBe(101);
  expect(result).toEqual({
    status: "completed",
    value: "value",
    warnings: [
      "Cancelled 102 timer(s) that would have fired after the result: 7 ms, 7 ms, 7 ms, 7 ms, 7 ms, and 97 more.",
    ],
  });
  expect(clock.armed()).toBe(0);
});

test("EXEC-07: a timer past the window is dropped also when it is due; one within it still runs", () => {
  const clock = createFakeClock();
  const work = new HostWorkTable(() => {});
  const drained = { work, queue: [], droppedTimers: { count: 0, delays: [] }, drainUntil: undefined };
  const cell = { ...drained, run: { host: { clock } } } as unknown as Cell;
  const open = (id: number, delayMs: number): void =>
    work.open(id, { kind: "timer", delayMs, dueAt: clock.now() + delayMs, isInterval: false, abandon: () => {} });

  open(1, 0);
  work.settle({ id: 1, ok: true, value: "null" });
  expect(dropLeftoverTimers(cell, true)).toBe(false);
  clock.burn(1_001);
  open(2, 0);
  work.settle({ id: 2, ok: true, value: "null" });
  expect(dropLeftoverTimers(cell, true)).toBe(true);
  expect(work.takeDelivery()).toEqual({ replies: [{ id: 1, ok: true, value: "null" }], cancelled: [2] });
});

test("EXEC-07: while a call's reply is not delivered no timer is dropped", () => {
  const clock = createFakeClock();
  const work = new HostWorkTable(() => {});
  const drained = { work, queue: [], droppedTimers: { count: 0, delays: [] }, drainUntil: 5 };
  const cell = { ...drained, run: { host: { clock } } } as unknown as Cell;
  work.open(1, { kind: "timer", delayMs: 9_000, dueAt: 99_000, isInterval: false, abandon: () => {} });
  work.answer({ id: 2, ok: true, value: "null" });
  expect([dropLeftoverTimers(cell, true), cell.drainUntil]).toEqual([false, undefined]);
});
