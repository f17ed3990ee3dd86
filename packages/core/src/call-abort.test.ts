import { expect, test } from "vitest";
import { CallAbort } from "./call-abort.js";

const reason = new DOMException("over", "AbortError");

test("OWN-05: a signal asked for before the abort aborts with it, one asked for later is aborted already", () => {
  const [before, after] = [new CallAbort(), new CallAbort()];
  const { signal } = before;
  expect(signal.aborted).toBe(false);
  for (const abort of [before, after]) abort.abort(reason);
  expect([signal.aborted, signal.reason, after.signal.aborted, after.signal.reason]).toEqual([
    true,
    reason,
    true,
    reason,
  ]);
  expect(before.signal).toBe(signal);
  expect(() => after.throwIfAborted()).toThrow(reason);
});

test("actions run once, unless they were withdrawn; only the first abort counts", () => {
  const abort = new CallAbort();
  const log: string[] = [];
  abort.onAbort(({ message }) => log.push(message));
  abort.onAbort(() => log.push("withdrawn"))();
  abort.throwIfAborted();
  abort.abort(reason);
  abort.abort(new Error("again"));
  expect([log, abort.signal.reason]).toEqual([["over"], reason]);
});
