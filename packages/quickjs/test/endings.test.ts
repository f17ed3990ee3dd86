import { expect, test } from "vitest";
import { VM_LIMITS } from "@codemode/testing";
import { runCell, valueOf } from "./run-cell.js";

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

test.each([
  ["an endless loop", "text('kept'); while (true);"],
  ["exhausted memory", "text('kept'); const a = []; for (;;) a.push(new Array(1000).fill(1));"],
  [
    "an error that cannot be read",
    "text('kept'); throw { name: 'E', message: 'm', errors: new Proxy([], { get() { throw 1; } }) };",
  ],
])("output written before %s is kept", async (_name, code) => {
  const limits = { ...VM_LIMITS, memoryLimitBytes: 8 * 1024 * 1024 };
  const step = await runCell(code, { limits, budgetMs: 500 });
  expect(step).toMatchObject({ type: "failed", output: { items: [{ text: '{"type":"text","text":"kept"}' }] } });
});

test("performance.now starts near zero and moves on", async () => {
  const [first, later] = (await valueOf(
    "const a = performance.now(); await new Promise((r) => setTimeout(r, 1)); return [a, performance.now()];",
  )) as [number, number];
  expect([first >= 0, first < 10_000, later >= first]).toEqual([true, true, true]);
});

test("a promise inside the returned value counts as awaited", async () => {
  expect(await valueOf("return [echo({ a: 1 }), { deep: [echo({ b: 2 })] }, 3];")).toEqual([
    { a: 1 },
    { deep: [{ b: 2 }] },
    3,
  ]);
  expect(await runCell("return { lost: fail({}) };")).toMatchObject({ type: "failed", failure: { phase: "bridge" } });
  const loop = "const a = { p: echo({ a: 1 }) }; a.self = a; return a;";
  expect(await valueOf(loop)).toEqual({ p: { a: 1 }, self: "[Circular]" });
});
