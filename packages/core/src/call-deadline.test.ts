import { expect, test } from "vitest";
import { createFakeClock } from "../test/fakes/fake-clock.js";
import { createCallDeadline } from "./call-deadline.js";

function start(timeoutMs: number) {
  const clock = createFakeClock();
  let margins = 0;
  const deadline = createCallDeadline({ clock, timeoutMs, onMargin: () => margins++ });
  return { clock, deadline, margins: () => margins };
}

test("the margin is 250 ms of a long budget, and is announced once", async () => {
  const { clock, deadline, margins } = start(10_000);
  await clock.advance(9_749);
  expect([deadline.remainingMs(), deadline.isInMargin(), margins()]).toEqual([251, false, 0]);
  await clock.advance(1);
  expect([deadline.remainingMs(), deadline.isInMargin(), margins()]).toEqual([250, true, 1]);
  await clock.advance(60_000);
  expect([deadline.remainingMs(), margins()]).toEqual([0, 1]);
});

test("the margin is half of a short budget", async () => {
  const { clock, deadline } = start(100);
  await clock.advance(49);
  expect(deadline.isInMargin()).toBe(false);
  await clock.advance(1);
  expect(deadline.isInMargin()).toBe(true);
});

test("a suspended budget stands still, and exactly the unused part remains", async () => {
  const { clock, deadline, margins } = start(1_000);
  await clock.advance(300);
  deadline.setSuspended(true);
  deadline.setSuspended(true);
  await clock.advance(3_600_000);
  expect([deadline.remainingMs(), deadline.suspendedMs(), margins()]).toEqual([700, 3_600_000, 0]);
  deadline.setSuspended(false);
  await clock.advance(449);
  expect([deadline.remainingMs(), margins()]).toEqual([251, 0]);
  await clock.advance(1);
  expect([deadline.remainingMs(), margins()]).toEqual([250, 1]);
});

test("a timer that fires early against the monotonic clock is armed again", async () => {
  const alarms: (() => void)[] = [];
  let now = 0;
  let margins = 0;
  createCallDeadline({
    clock: { now: () => now, schedule: (action) => (alarms.push(action), () => {}) },
    timeoutMs: 1_000,
    onMargin: () => margins++,
  });
  now = 749.4;
  alarms[0]?.();
  expect([alarms.length, margins]).toEqual([2, 0]);
  now = 750;
  alarms[1]?.();
  expect([alarms.length, margins]).toEqual([2, 1]);
});

test("dispose cancels the timer", async () => {
  const { clock, deadline, margins } = start(1_000);
  deadline.dispose();
  await clock.advance(2_000);
  expect([clock.armed(), margins()]).toEqual([0, 0]);
});
