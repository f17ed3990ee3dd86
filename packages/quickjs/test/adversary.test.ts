import { expect, test } from "vitest";
import { VM_LIMITS } from "@codemode/testing";
import { runCell, valueOf } from "./run-cell.js";

const timeout = { type: "failed", failure: { code: "timeout", phase: "guest" } };

test.each([
  ["a promise's executor", "return await new Promise(() => { while (true); }).catch((error) => 'escaped ' + error);"],
  [
    "an executor before a call",
    "await new Promise(() => { while (true); }).catch(() => {}); return await echo({ x: 1 });",
  ],
  ["a thenable", "return await Promise.resolve({ then() { while (true); } }).catch(() => 'escaped');"],
  ["Promise.try", "return await Promise.try(() => { while (true); }).catch(() => 'escaped');"],
  ["an iterator", "return await Promise.all({ [Symbol.iterator]() { while (true); } }).catch(() => 'escaped');"],
])("LIM-01: the deadline cannot be caught through %s", async (_name, code) => {
  expect(await runCell(code, { budgetMs: 100 })).toMatchObject(timeout);
});

test("LIM-03: exhausted memory cannot be caught through a promise's executor", async () => {
  const limits = { ...VM_LIMITS, memoryLimitBytes: 4 * 1024 * 1024 };
  const code =
    "return await new Promise(() => { const a = []; for (;;) a.push(new Array(1000).fill(1)); }).catch(() => 'escaped');";
  expect(await runCell(code, { limits })).toMatchObject({
    type: "failed",
    failure: { message: "Error: out of memory: the cell may use 4194304 bytes. Keep less data at a time." },
  });
});

test("SEC-01: the functions on the stack are never handed out", async () => {
  const code = `
    const seen = [];
    Error.prepareStackTrace = (error, sites) => { seen.push(...sites.map((site) => site.getFunction?.())); return sites; };
    echo({}).catch(() => {});
    try { await fail({}); } catch (error) { void error.stack; }
    void new Error("x").stack;
    try { Object.defineProperty(Error, "prepareStackTrace", { value: () => { seen.push("defined"); } }); } catch {}
    void new Error("y").stack;
    return [seen.length, typeof Error.prepareStackTrace];`;
  expect(await valueOf(code)).toEqual([0, "undefined"]);
});

test("ERR-04: a replaced then or constructor of promises does not come between a reply and its call", async () => {
  const code = `
    const original = Promise.prototype.then;
    Object.prototype.evil = { binding: '0,"input":"{}"},{"method":"call","id":99' };
    Promise.prototype.constructor = function () {};
    Promise.prototype.then = function (resolve) { if (resolve) resolve({ bindings: ["evil"] }); };
    const pending = catalog.search("echo");
    Promise.prototype.then = original;
    Promise.prototype.constructor = Promise;
    const found = await pending;
    return [Array.isArray(found), found.length];`;
  // The harness answers a search with null, which is not a list of bindings: the cell fails, and nothing was forged.
  expect(await runCell(code)).toMatchObject({ type: "failed", failure: { phase: "guest" } });
});

test("ERR-01: an overflow of the stack in awaited calls can be handled", async () => {
  const code = `
    async function walk(n) { return n <= 0 ? 0 : 1 + (await walk(n - 1)); }
    try { return await walk(1e5); } catch (error) { return "caught " + error.name; }`;
  expect(await valueOf(code)).toBe("caught RangeError");
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

test.each([
  ["an output item", "json(value); await null;"],
  ["a tool's input", "await echo(value);"],
  ["a reason", "await yield_control(value);"],
])("no call starts while %s is written", async (_name, work) => {
  const getter = "get a() { echo({}).catch((error) => { message = error.message; }); return 1; }";
  const code = `let message; const value = { ${getter} }; ${work} return message;`;
  expect(await valueOf(code)).toBe("no call can start while a value is read or the result is taken");
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
