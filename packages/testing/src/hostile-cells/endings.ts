import { fails, type HostileCell, type HostileOutcome } from "./hostile-cell.js";

/** Budget of the cells that never end, in ms. */
export const SHORT_BUDGET_MS = 100;
/** Memory of the cells that want more. */
export const SMALL_MEMORY_BYTES = 4 * 1024 * 1024;

const timeout: HostileOutcome = {
  failure: { message: "Error: the deadline of the call passed while the cell ran", code: "timeout", phase: "guest" },
};
const exhausted = fails("Error: out of memory: the cell may use 4194304 bytes. Keep less data at a time.");

/** Programs that never end, nor let the interrupt be caught; each ends as `timeout`. */
export const ENDLESS_CELLS: readonly HostileCell[] = Object.entries({
  "a loop": "while (true) {}",
  "a loop that catches and goes on": 'try { while (true) {} } catch { return "escaped"; } finally { while (true) {} }',
  "a loop after an await": "await null; for (;;) {}",
  "a loop in a rejection handler": "try { await fail({}); } catch { for (;;) {} }",
  "a microtask storm": "const again = () => Promise.resolve().then(again); await again();",
  "a storm of queueMicrotask": "const again = () => queueMicrotask(again); again(); await new Promise(() => {});",
  "a pattern that backtracks": 'return /^(a+)+$/.test("a".repeat(40) + "b");',
  "a comparator": "[1, 2].sort(() => { while (true) {} });",
  "a replacer, a reviver and a replacement": "JSON.stringify({ a: 1 }, () => { while (true) {} });",
  "a reviver": 'JSON.parse("[1]", () => { while (true) {} });',
  "a replacement": '"a".replace("a", () => { while (true) {} });',
  "an iterator that never ends": "for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }) {}",
  "a spread of an iterator that never ends":
    "Math.max(...{ [Symbol.iterator]: () => ({ next: () => { while (true) {} } }) });",
  "an async iterator that never ends": "for await (const _ of (async function* () { while (true) yield 1; })()) {}",
  "a promise's executor": "return await new Promise(() => { while (true); }).catch((error) => 'escaped ' + error);",
  "an executor before a call":
    "await new Promise(() => { while (true); }).catch(() => {}); return await echo({ x: 1 });",
  "a thenable": "return await Promise.resolve({ then() { while (true); } }).catch(() => 'escaped');",
  "Promise.try": "return await Promise.try(() => { while (true); }).catch(() => 'escaped');",
  "Promise.all of an iterator":
    "return await Promise.all({ [Symbol.iterator]() { while (true); } }).catch(() => 'escaped');",
  "a subclass that takes the rejection itself": `
    class Eater extends Promise { constructor(start) { super((resolve) => start(resolve, () => resolve("escaped"))); } }
    return await Eater.try(() => { while (true); });`,
  "a disposal": `
    const stack = new DisposableStack(); stack.defer(() => { throw 1; }); stack.defer(() => { while (true); });
    try { stack.dispose(); } catch { return "escaped"; }`,
  "an async generator's return": `
    const generator = (async function* () { try { yield 1; } finally { while (true); } })();
    await generator.next(); await generator.return().catch(() => {}); return "escaped";`,
  "a getter of the result": "return { get a() { while (true) {} } };",
  "traps of the result": "return new Proxy({}, { ownKeys() { while (true) {} } });",
  "a getter of output": "json({ get a() { while (true) {} } });",
  "a getter of a tool's input": "await echo({ get a() { while (true) {} } });",
  "traps of a tool's input": "await echo(new Proxy({}, { getPrototypeOf() { while (true) {} } }));",
  "a getter of the thrown error":
    'throw Object.defineProperty(new Error("x"), "message", { get() { while (true) {} } });',
  "a getter of an AggregateError's member": "throw new AggregateError([{ get name() { while (true) {} } }]);",
  "a getter of a cause": 'throw new Error("x", { cause: { get message() { while (true) {} } } });',
  "a then of the result": "return { then() { while (true) {} } };",
  "a timer": "setTimeout(() => { while (true) {} }, 1); await new Promise(() => {});",
  "a callback of the collector": `
    let kept = {}; const registry = new FinalizationRegistry(() => { while (true) {} }); registry.register(kept, 1); kept = null;
    for (;;) await null;`,
  "recursion in getters that catch":
    "const box = { get deep() { try { return this.deep; } catch { return this.deep; } } }; return box.deep;",
  "recursion in traps that catch": `
    const box = new Proxy({}, { get: (target, key, self) => { try { return self[key]; } catch { return self[key]; } } });
    return box.deep;`,
  "recursion in toString that catches":
    "const box = { toString() { try { return `${box}`; } catch { return `${box}`; } } }; return `${box}`;",
  "recursion in toJSON that catches":
    "const box = { toJSON() { try { return JSON.stringify(box); } catch { return JSON.stringify(box); } } }; return JSON.stringify(box);",
}).map(([name, source]) => ({ name, source, expected: timeout }));

/** Programs that use up their memory and try to survive it. */
export const GREEDY_CELLS: readonly HostileCell[] = Object.entries({
  "in a loop": "const all = []; for (;;) all.push(new Array(1000).fill(1));",
  "caught around a loop": "const all = []; try { for (;;) all.push(new Array(1000).fill(1)); } catch { return 1; }",
  "again and again": 'for (;;) { try { "x".repeat(2 ** 29); } catch {} finally { continue; } }',
  "in one string": 'try { return "x".repeat(2 ** 29).length; } catch { return 1; }',
  "in one buffer": "try { return new ArrayBuffer(2 ** 30).byteLength; } catch { return 1; }",
  "in shared memory":
    "const all = []; for (let count = 0; count < 64; count++) all.push(new SharedArrayBuffer(2 ** 20)); return all.length;",
  "in a growing buffer":
    "const buffer = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); buffer.resize(2 ** 29); return 1;",
  "in a pattern": "return /(a*)*b/.exec('a'.repeat(1e6)) === null;",
  "in code": "return new Function('return [' + '1,'.repeat(1e6) + ']')().length;",
  "in closures and promises": "const all = []; for (;;) all.push(new Promise(() => {}).then(() => all));",
  "in a promise's executor": `
    return await new Promise(() => { "x".repeat(2 ** 29); }).catch(() => "escaped");`,
  "in a handler whose rejection is handled": `
    let seen = "nothing"; await Promise.resolve().then(() => "x".repeat(2 ** 29)).then(() => {}, () => { seen = "escaped"; }); return seen;`,
  "in a thenable whose rejection is handled": `
    let seen = "nothing"; const failing = new Promise((resolve) => resolve({ then() { "x".repeat(2 ** 29); } }));
    failing.catch(() => { seen = "escaped"; }); for (let turn = 0; turn < 9; turn++) await null; return seen;`,
  "in an async generator whose rejection is handled": `
    let seen = "nothing"; const generator = (async function* () { await null; "x".repeat(2 ** 29); })();
    generator.next().catch(() => { seen = "escaped"; }); for (let turn = 0; turn < 9; turn++) await null; return seen;`,
  "under a subclass that takes the rejection itself": `
    class Eater extends Promise { constructor(start) { super((resolve) => start(resolve, () => resolve("escaped"))); } }
    return await Eater.try(() => "x".repeat(2 ** 29));`,
  "in a disposal, wrapped by the engine": `
    const stack = new DisposableStack(); stack.defer(() => { throw 1; }); stack.defer(() => "x".repeat(2 ** 29));
    try { stack.dispose(); } catch { return "escaped"; }`,
  "behind a throw of its own": `
    class Eater extends Promise { constructor(start) { super((resolve) => start(resolve, resolve)); } }
    await Eater.try(() => "x".repeat(2 ** 29)); throw new Error("nothing happened");`,
  "before a call": `
    class Eater extends Promise { constructor(start) { super((resolve) => start(resolve, resolve)); } }
    await Eater.try(() => "x".repeat(2 ** 29)); return await echo({});`,
  "in a getter of the result": 'return { get a() { return "x".repeat(2 ** 29); } };',
  "in a getter of a tool's input":
    'await echo({ get a() { return "x".repeat(2 ** 29); } }).catch(() => {}); return "escaped";',
  "in the text of the result": 'return "x".repeat(3_000_000);',
  "in the text of output": 'text("x".repeat(3_000_000)); return 1;',
  "in the text of a tool's input": 'await echo({ a: "x".repeat(3_000_000) }).catch(() => {}); return "escaped";',
}).map(([name, source]) => ({ name, source, expected: exhausted }));

/** Recursion without end: the guest gets a RangeError it can handle, wherever the stack ends. */
export const RECURSIVE_CELLS: readonly HostileCell[] = [
  ...Object.entries({
    "a function": "const deep = () => deep() + 1; deep();",
    "a getter": "const box = { get deep() { return this.deep; } }; box.deep;",
    "a setter": "const box = { set deep(value) { this.deep = value; } }; box.deep = 1;",
    "a trap of a Proxy": "const box = new Proxy({}, { get: (target, key, self) => self[key] }); box.deep;",
    "a chain of Proxies":
      "let box = {}; for (let level = 0; level < 100_000; level++) box = new Proxy(box, {}); box.deep;",
    toString: "const box = { toString: () => `${box}` }; `${box}`;",
    toJSON: "const box = { toJSON: () => JSON.stringify(box) }; JSON.stringify(box);",
    "a constructor": "class Deep { constructor() { new Deep(); } } new Deep();",
    "a comparator": "const sort = () => [2, 1].sort(sort); sort();",
    apply: "const deep = () => Reflect.apply(deep, null, []); deep();",
    "an iterator": "const box = { *[Symbol.iterator]() { yield* box; } }; [...box];",
    "a reviver": 'const revive = () => JSON.parse("[1]", revive); revive();',
  }).map(recursive),
  {
    name: "that nobody catches",
    source: "const deep = () => deep() + 1; deep();",
    expected: fails("RangeError: Maximum call stack size exceeded"),
  },
  {
    name: "in awaited calls",
    source: `
      async function walk(n) { return n <= 0 ? 0 : 1 + (await walk(n - 1)); }
      try { return await walk(1e5); } catch (error) { return error.name; }`,
    expected: { value: "RangeError" },
  },
  {
    name: "in a getter of the result",
    source: "return { get deep() { return this.deep; }, after: 1 };",
    expected: { value: { deep: "[Throws: RangeError: Maximum call stack size exceeded]", after: 1 } },
  },
  {
    name: "with a call at every depth where the stack ends",
    source: `
      let left = 50, made = 0, refused = 0;
      const calls = [];
      const deep = () => { try { deep(); } catch {} if (left-- > 0) calls.push(echo({}).then(() => { made++; }, () => { refused++; })); };
      deep();
      await Promise.all(calls);
      return made + refused === calls.length;`,
    expected: { value: true },
  },
];

/** Recursion inside the engine's own code, which takes more of the thread's stack than the guest's. */
export const NATIVE_RECURSIVE_CELLS: readonly HostileCell[] = Object.entries({
  "JSON text": 'JSON.parse("[".repeat(100_000));',
  "a nested value as JSON": `
    let deep = []; for (let level = 0; level < 100_000; level++) deep = [deep]; JSON.stringify(deep);`,
  "source text": 'new Function("(".repeat(100_000))();',
  "an array in source text": 'new Function("[".repeat(100_000))();',
  "a template in source text": 'new Function("`${".repeat(100_000))();',
  "arrow functions in source text": 'new Function("x=>".repeat(100_000) + "1")();',
}).map(recursive);

function recursive([name, work]: [name: string, work: string]): HostileCell {
  const source = `
    try { ${work} return "no end"; } catch (error) { return [error instanceof Error, error.message.includes("stack")]; }`;
  return { name: `in ${name}`, source, expected: { value: [true, true] } };
}
