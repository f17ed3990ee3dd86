import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.js";

const never = new Promise<never>(() => {});
const reason = new Error("enough");

test("the promise's outcome is handed on, and the signal is left alone", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  expect(await untilAborted(Promise.resolve(8), undefined)).toBe(8);
  await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  await Promise.resolve();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the signal's reason comes first when it aborts, or has aborted", async () => {
  const abort = new AbortController();
  const waiting = untilAborted(never, abort.signal);
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(untilAborted(never, abort.signal)).rejects.toBe(reason);
});

test("a promise that rejects after the abort is no unhandled rejection", async () => {
  const abort = new AbortController();
  let fail: (error: Error) => void = () => {};
  const waiting = untilAborted(new Promise((_resolve, reject) => (fail = reject)), abort.signal);
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  fail(new Error("late"));
  await new Promise((resolve) => setImmediate(resolve));
});
