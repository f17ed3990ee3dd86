import { expect, test } from "vitest";
import { HostWorkTable, type HostWork } from "./host-work.js";

function call(name: string, abandoned: string[] = []): HostWork {
  return { kind: "call", callId: `call-${name}`, name, abandon: () => abandoned.push(name) };
}

const nothing = (): void => {};
const done = (id: number) => ({ id, ok: true as const, value: "null" });

test("replies are kept in settlement order, once each", () => {
  let rings = 0;
  const work = new HostWorkTable(() => rings++);
  work.open(1, call("a"));
  work.open(2, call("b"));
  expect([work.openCalls(), work.hasSettled()]).toEqual([2, false]);
  expect([work.settle(done(2)), work.settle(done(1)), work.settle(done(2)), work.settle(done(9))]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([work.openCalls(), work.hasSettled(), rings]).toEqual([0, true, 2]);
  expect(work.takeDelivery()).toEqual({ replies: [done(2), done(1)] });
  expect([work.takeDelivery(), work.isEmpty()]).toEqual([{ replies: [] }, true]);
});

test("WAIT-01: calls lists only what has not settled, and no timers or yields", () => {
  const work = new HostWorkTable(nothing);
  work.open(1, call("a"));
  work.open(2, call("b"));
  work.open(3, { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: nothing });
  work.open(4, { kind: "yield" });
  work.settle(done(1));
  expect(work.calls()).toEqual([{ id: "call-b", name: "b" }]);
  expect(work.openCalls()).toBe(1);
});

test("a forgotten timer is stopped, and its reply is dropped when it was due already", () => {
  const stopped: number[] = [];
  const work = new HostWorkTable(nothing);
  work.open(1, { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: () => stopped.push(1) });
  work.open(2, { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: () => stopped.push(2) });
  work.settle(done(2));
  work.forgetTimers([1, 2, 7]);
  expect([stopped, work.takeDelivery(), work.isEmpty()]).toEqual([[1], { replies: [] }, true]);
});

test("timers the host dropped reach the guest once; a delivery that did not reach it comes first", () => {
  const stopped: number[] = [];
  const work = new HostWorkTable(nothing);
  work.open(1, call("a"));
  work.open(2, call("b"));
  work.open(3, { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: () => stopped.push(3) });
  work.settle(done(1));
  work.dropTimers([3]);
  const delivery = work.takeDelivery();
  expect([delivery, stopped, work.hasSettled()]).toEqual([{ replies: [done(1)], cancelled: [3] }, [3], false]);
  work.settle(done(2));
  work.putBack(delivery);
  expect([work.hasSettled(), work.takeDelivery()]).toEqual([true, { replies: [done(1), done(2)], cancelled: [3] }]);
  expect([work.takeDelivery(), work.isEmpty()]).toEqual([{ replies: [] }, true]);
});

test("WAIT-02: one wait settles all outstanding yields", () => {
  const work = new HostWorkTable(nothing);
  work.open(1, { kind: "yield" });
  work.open(2, call("a"));
  work.open(3, { kind: "yield" });
  expect(work.hasYields()).toBe(true);
  work.settleYields();
  expect([work.hasYields(), work.takeDelivery()]).toEqual([false, { replies: [done(1), done(3)] }]);
});

test("OWN-02: abandoned work is told so, and what it brings later is dropped", () => {
  const abandoned: string[] = [];
  const work = new HostWorkTable(nothing);
  work.open(1, call("a", abandoned));
  work.open(2, call("b", abandoned));
  work.settle(done(1));
  work.abandon();
  expect([abandoned, work.settle(done(2)), work.isEmpty(), work.openCalls()]).toEqual([["b"], false, true, 0]);
});

test("a batch of cleared timers is forgotten in one pass, due ones and open ones", () => {
  const work = new HostWorkTable(nothing);
  const ids = Array.from({ length: 60_000 }, (_, index) => index + 1);
  for (const id of ids) work.open(id, { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: nothing });
  for (const id of ids.slice(0, 50_000)) work.settle(done(id));
  work.answer(done(70_000));
  work.forgetTimers(ids);
  expect([work.openTimers(), work.takeDelivery(), work.isEmpty()]).toEqual([0, { replies: [done(70_000)] }, true]);
});

test("timers lists open and due ones until they are delivered; other replies are told apart", () => {
  const work = new HostWorkTable(nothing);
  const timer = { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: nothing } as const;
  work.open(1, timer);
  work.open(2, timer);
  work.open(3, call("a"));
  work.settle(done(2));
  expect([[...work.timers()], work.openTimers(), work.hasSettledCalls()]).toEqual([
    [
      [2, timer],
      [1, timer],
    ],
    1,
    false,
  ]);
  work.settle(done(3));
  expect(work.hasSettledCalls()).toBe(true);
  work.takeDelivery();
  expect([[...work.timers()], work.hasSettledCalls()]).toEqual([[[1, timer]], false]);
});

test("a clear that names no timer drops no reply", () => {
  const work = new HostWorkTable(nothing);
  work.open(1, call("a"));
  work.settle(done(1));
  work.forgetTimers([1]);
  expect(work.takeDelivery()).toEqual({ replies: [done(1)] });
});

test("a due timer in a delivery that did not reach the guest is still a timer, and can be dropped", () => {
  const timer = { kind: "timer", delayMs: 5, dueAt: 5, isInterval: false, abandon: nothing } as const;
  const work = new HostWorkTable(nothing);
  work.open(1, timer);
  work.open(2, timer);
  work.settle(done(1));
  work.putBack(work.takeDelivery());
  work.settle(done(2));
  expect([[...work.timers()].map(([id]) => id), work.hasSettledCalls()]).toEqual([[1, 2], false]);
  work.dropTimers([1]);
  expect([work.takeDelivery(), work.isEmpty()]).toEqual([{ replies: [done(2)], cancelled: [1] }, true]);
});
