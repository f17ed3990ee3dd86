import { expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.js";

test("timers run in order of time, also those that timers set, and see the time they were due", async () => {
  const clock = createFakeClock(0);
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name} at ${clock.now()}`);
  clock.schedule(note("late"), 30);
  clock.schedule(() => {
    note("early")();
    clock.schedule(note("nested"), 5);
  }, 10);
  clock.schedule(note("never"), 20)();
  await clock.advance(30);
  expect(seen).toEqual(["early at 10", "nested at 15", "late at 30"]);
  expect([clock.now(), clock.pendingTimers()]).toEqual([30, 0]);
});

test("promises a timer started come to rest before the next timer", async () => {
  const clock = createFakeClock(0);
  const seen: string[] = [];
  clock.schedule(() => void Promise.resolve().then(() => Promise.resolve().then(() => seen.push("promise"))), 1);
  clock.schedule(() => void seen.push("timer"), 2);
  await clock.advance(2);
  expect(seen).toEqual(["promise", "timer"]);
});

test("skipping moves the time and runs nothing", async () => {
  const clock = createFakeClock();
  let runs = 0;
  clock.schedule(() => runs++, 5);
  clock.skip(100);
  expect([clock.now(), runs, clock.pendingTimers()]).toEqual([1_100, 0, 1]);
  await clock.advance(0);
  expect([clock.now(), runs]).toEqual([1_100, 1]);
});
