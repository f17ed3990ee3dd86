import { expect, test } from "vitest";
import { VM_LIMITS } from "@codemode/testing";
import { runCell, valueOf } from "./run-cell.js";

const timeout = { type: "failed", failure: { code: "timeout", phase: "guest" } };

test.each([
  ["a loop", "while (true) {}"],
  ["a loop after an await", "await null; for (;;) {}"],
  ["a microtask storm", "const again = () => Promise.resolve().then(again); await again();"],
  ["a catastrophic pattern", 'return /^(a+)+$/.test("a".repeat(40) + "b");'],
  ["a comparator", "[1, 2].sort(() => { while (true) {} });"],
  ["a getter of the result", "return { get a() { while (true) {} } };"],
  [
    "a getter of the thrown error",
    'throw Object.defineProperty(new Error("x"), "message", { get() { while (true) {} } });',
  ],
  ["a loop in a rejection handler", "try { await fail({}); } catch { for (;;) {} }"],
])("LIM-01: %s ends as timeout", async (_name, code) => {
  expect(await runCell(code, { budgetMs: 100 })).toMatchObject(timeout);
});

test("LIM-03: exhausted memory ends the cell and is said, with the limit", async () => {
  const limits = { ...VM_LIMITS, memoryLimitBytes: 4 * 1024 * 1024 };
  const code = "const all = []; try { for (;;) all.push(new Array(1000).fill(1)); } catch { return 1; }";
  expect(await runCell(code, { limits })).toMatchObject({
    type: "failed",
    failure: {
      phase: "guest",
      message: "Error: out of memory: the cell may use 4194304 bytes. Keep less data at a time.",
    },
  });
});

test("EXEC-08: a throw in a queued microtask and in a timer fails the cell", async () => {
  for (const code of [
    'queueMicrotask(() => { throw new RangeError("micro"); }); return 1;',
    'setTimeout(() => { throw new RangeError("micro"); }, 1); return 1;',
    'setTimeout(async () => { throw new RangeError("micro"); }, 1); return 1;',
  ]) {
    expect(await runCell(code)).toMatchObject({
      type: "failed",
      failure: { phase: "guest", message: "RangeError: micro" },
    });
  }
});

test.each([
  ["throw 'plain string';", "Uncaught plain string"],
  ["throw undefined;", "Uncaught undefined"],
  ["throw null;", "Uncaught null"],
  ["throw { code: 404, detail: 'gone' };", 'Uncaught {"code":404,"detail":"gone"}'],
  ["class NotFound extends Error { name = 'NotFound' } throw new NotFound('no 7');", "NotFound: no 7"],
  ["await Promise.any([fail({}), Promise.reject(new TypeError('b'))]);", "AggregateError [Error: no; TypeError: b]"],
])("EXEC-10: %s is described", async (code, message) => {
  expect(await runCell(code)).toMatchObject({ type: "failed", failure: { message } });
});

test("SRC-04: a source that closes the wrapper and goes on does not run", async () => {
  const step = await runCell("return 1; }); globalThis.escaped = 1; (async () => {");
  expect(step.type).toBe("completed");
});

test("timers run in order of their replies, take arguments and can be cleared", async () => {
  const code = `
    const log = [];
    const cleared = setTimeout(() => log.push("never"), 5);
    clearTimeout(cleared);
    setTimeout((a, b) => log.push(a + b), 1, "x", "y");
    await new Promise((resolve) => setTimeout(resolve, 2));
    return [log, typeof cleared];`;
  expect(await valueOf(code)).toEqual([["xy"], "number"]);
});

test("GUEST-01: a timer without a function is a TypeError", async () => {
  expect(await runCell('setTimeout("globalThis.hacked = 1", 1);')).toMatchObject({
    failure: { message: "TypeError: setTimeout takes a function as its first argument." },
  });
});

test.each([
  ["echo(1, 2)", "echo takes one object, but got 2 arguments: pass one object, such as echo({ key: value })."],
  ["echo('x')", "echo takes one object, but got a string: pass one object, such as echo({ key: value })."],
  ["echo([1])", "echo takes one object, but got an array: pass one object, such as echo({ key: value })."],
  ["echo(null)", "echo takes one object, but got null: pass one object, such as echo({ key: value })."],
])("a call that is not one object is refused before dispatch: %s", async (call, message) => {
  expect(await runCell(`await ${call};`)).toMatchObject({ failure: { message: `TypeError: ${message}` } });
});
