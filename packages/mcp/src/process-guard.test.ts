import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { createProcessGuard } from "./process-guard.js";

/** A process that records which signals took effect on it. */
function fakeProcess() {
  const effects: string[] = [];
  const host = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: (_pid: number, signal: string) => effects.push(signal),
  });
  const listeners = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((event) => host.listenerCount(event));
  return { host: host as unknown as NodeJS.Process, emitter: host, effects, listeners };
}

test("MCP-10: the host is listened to only while something is watched", () => {
  const { host, emitter, listeners } = fakeProcess();
  const guard = createProcessGuard(host);
  expect(listeners()).toEqual([0, 0, 0, 0]);
  const ends = [guard.watch(() => {}), guard.watch(() => {})];
  expect(listeners()).toEqual([1, 1, 1, 1]);
  expect(emitter.getMaxListeners()).toBe(EventEmitter.defaultMaxListeners + 1);
  for (const end of ends) end();
  expect(listeners()).toEqual([0, 0, 0, 0]);
  expect(emitter.getMaxListeners()).toBe(EventEmitter.defaultMaxListeners);
});

test("MCP-10: what is watched is killed when the host exits, what is not is not", () => {
  const { host, emitter } = fakeProcess();
  const killed: string[] = [];
  const guard = createProcessGuard(host);
  guard.watch(() => killed.push("a"));
  guard.watch(() => killed.push("b"))();
  emitter.emit("exit");
  expect(killed).toEqual(["a"]);
});

test("MCP-10: a signal nobody else listens to kills for every guard and then takes effect once", () => {
  const { host, emitter, effects, listeners } = fakeProcess();
  const killed: string[] = [];
  createProcessGuard(host).watch(() => killed.push("first"));
  createProcessGuard(host).watch(() => killed.push("second"));
  emitter.emit("SIGTERM", "SIGTERM");
  expect(killed).toEqual(["first", "second"]);
  expect(effects).toEqual(["SIGTERM"]);
  expect(listeners()).toEqual([0, 0, 0, 0]);
});

test("MCP-10: a signal the host listens to is the host's", () => {
  const { host, emitter, effects } = fakeProcess();
  const killed: string[] = [];
  createProcessGuard(host).watch(() => killed.push("child"));
  emitter.on("SIGTERM", () => {});
  emitter.emit("SIGTERM", "SIGTERM");
  expect([killed, effects]).toEqual([[], []]);
  emitter.emit("exit");
  expect(killed).toEqual(["child"]);
});
