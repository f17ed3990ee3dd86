import { expect, test } from "vitest";
import { createRestartBackoff } from "./restart-backoff.js";

function backoffWithClock() {
  let now = 5_000.5;
  const backoff = createRestartBackoff({ now: () => now });
  return { ...backoff, pass: (ms: number) => void (now += ms) };
}

test("MCP-10: the first end costs no pause, each further mishap twice the one before, up to 30 s", () => {
  const backoff = backoffWithClock();
  expect(backoff.pauseMs()).toBe(0);
  const pauses = Array.from({ length: 10 }, () => {
    backoff.ended();
    const pauseMs = backoff.pauseMs();
    backoff.pass(pauseMs);
    expect(backoff.pauseMs()).toBe(0);
    backoff.started();
    return pauseMs;
  });
  expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("MCP-10: attempts that fail count like lives that end", () => {
  const backoff = backoffWithClock();
  backoff.ended();
  backoff.failed();
  expect(backoff.pauseMs()).toBe(500);
  backoff.pass(499.2);
  expect(backoff.pauseMs()).toBe(1);
  backoff.pass(1);
  backoff.failed();
  expect(backoff.pauseMs()).toBe(1_000);
});

test("MCP-10: a life of 60 s makes up for what was before, a shorter one does not", () => {
  const backoff = backoffWithClock();
  backoff.ended();
  backoff.failed();
  backoff.pass(500);
  backoff.started();
  backoff.pass(59_999);
  backoff.ended();
  expect(backoff.pauseMs()).toBe(1_000);
  backoff.pass(1_000);
  backoff.started();
  backoff.pass(60_000);
  backoff.ended();
  expect(backoff.pauseMs()).toBe(0);
  backoff.failed();
  expect(backoff.pauseMs()).toBe(500);
});

test("MCP-10: the pause counts from the mishap", () => {
  const backoff = backoffWithClock();
  backoff.ended();
  backoff.started();
  backoff.ended();
  backoff.pass(200);
  expect(backoff.pauseMs()).toBe(300);
  backoff.pass(10_000);
  expect(backoff.pauseMs()).toBe(0);
});
