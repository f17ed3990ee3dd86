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
