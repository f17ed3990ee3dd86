import { SdkErrorCode } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRequestPatience } from "./request-patience.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const create = () => createRequestPatience({ ms: 1_000, option: "callTimeoutMs" }, () => Date.now());

test("MCP-10: a request without a word aborts when its time is over, as a time-out", () => {
  const patience = create();
  const signal = patience.begin(undefined);
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ code: SdkErrorCode.RequestTimeout, message: "Request timed out" });
});

test("MCP-10, MCP-14: a word of progress gives the whole time again", () => {
  const patience = create();
  const signal = patience.begin(undefined);
  vi.advanceTimersByTime(999);
  patience.heard();
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test("MCP-14: the time stands still while a person is asked, from the start as well, and goes on with what was left", () => {
  const patience = create();
  patience.pause();
  const signal = patience.begin(undefined);
  vi.advanceTimersByTime(5_000);
  patience.resume();
  vi.advanceTimersByTime(600);
  patience.pause();
  patience.pause();
  vi.advanceTimersByTime(5_000);
  patience.resume();
  vi.advanceTimersByTime(399);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test("MCP-14: progress while a person is asked starts no timer", () => {
  const patience = create();
  const signal = patience.begin(undefined);
  vi.advanceTimersByTime(900);
  patience.pause();
  patience.heard();
  expect(vi.getTimerCount()).toBe(0);
  patience.resume();
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
});

test("MCP-10: a settled request has no timer, and one that is sent again has its whole time", () => {
  const patience = create();
  const first = patience.begin(undefined);
  vi.advanceTimersByTime(900);
  patience.end();
  patience.resume();
  patience.heard();
  expect(vi.getTimerCount()).toBe(0);
  const second = patience.begin(undefined);
  vi.advanceTimersByTime(999);
  expect([first.aborted, second.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([first.aborted, second.aborted]).toEqual([false, true]);
});

test("MCP-10: the caller's signal ends a request under way with its reason, and is let go with the request", () => {
  const patience = create();
  const caller = new AbortController();
  const first = patience.begin(caller.signal);
  patience.end();
  const second = patience.begin(caller.signal);
  caller.abort("the user pressed stop");
  expect([first.aborted, second.reason]).toEqual([false, "the user pressed stop"]);
});
