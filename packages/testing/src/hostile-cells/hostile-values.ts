import { fails, type HostileCell } from "./hostile-cell.js";

/** Values that fight back when they are read: as the result, as output, as an error, as a tool's input. */
export const HOSTILE_VALUES: readonly HostileCell[] = [
  {
    name: "a Proxy whose traps throw",
    source: `
      const trap = () => { throw new RangeError("trap"); };
      const handler = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, trap]));
      return [new Proxy({}, handler), new Proxy([], handler), new Proxy(function named() {}, handler)];`,
    expected: {
      value: ["[Throws: RangeError: trap]", "[Throws: RangeError: trap]", "[Function: (anonymous)]"],
    },
  },
  {
    name: "a Proxy as the result whose traps throw",
    source: 'return new Proxy({}, { ownKeys() { throw new RangeError("trap"); } });',
    expected: { value: "[Throws: RangeError: trap]" },
  },
  {
    name: "a revoked Proxy inside the result",
    source: "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy };",
    expected: { value: { proxy: "[Throws: TypeError: revoked proxy]" } },
  },
  {
    name: "a revoked Proxy as the result",
    source: "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;",
    expected: fails("TypeError: revoked proxy"),
  },
  {
    name: "a Proxy as the result that is also a promise and a cycle",
    source: `
      const proxy = new Proxy({ a: 1 }, { get: (target, key) => (key === "self" ? proxy : target[key]), ownKeys: () => ["a", "self"],
        getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) });
      return proxy;`,
    expected: { value: { a: 1, self: "[Circular]" } },
  },
  {
    name: "a thenable and a Proxy of one as the result",
    source: "return new Proxy({ then(resolve) { resolve({ then(inner) { inner('reached'); } }); } }, {});",
    expected: { value: "reached" },
  },
  {
    name: "a thenable that throws, answers twice and rejects",
    source:
      "return { then(resolve, reject) { resolve('first'); reject(new Error('second')); throw new Error('third'); } };",
    expected: { value: "first" },
  },
  {
    name: "getters of the result",
    source: `
      let reads = 0;
      return {
        get once() { reads++; return reads; },
        get throws() { throw new TypeError("getter"); },
        get throwsNothing() { throw undefined; },
        get throwsItself() { throw new Proxy({}, { get() { throw 1; } }); },
        get reads() { return reads; },
      };`,
    expected: {
      value: {
        once: 1,
        throws: "[Throws: TypeError: getter]",
        throwsNothing: "[Throws: undefined]",
        throwsItself: "[Throws: an object that cannot be read]",
        reads: 1,
      },
    },
  },
  {
    name: "objects that pose as built-ins",
    source: `
      return [Object.create(Date.prototype), Object.create(Map.prototype), Object.create(Error.prototype),
        Object.setPrototypeOf([1], null), { [Symbol.toStringTag]: "Map", size: 1 }, Object.create(Number.prototype)];`,
    expected: {
      value: [{}, {}, { name: "Error", message: "" }, [1], { size: 1 }, {}],
    },
  },
  {
    name: "an object that poses as a promise",
    source: "return [Object.create(Promise.prototype)];",
    expected: fails("TypeError: Promise object expected"),
  },
  {
    name: "arrays with lying lengths",
    source: `
      const lying = (length) => new Proxy([1], { get: (target, key) => (key === "length" ? length : target[key]) });
      return [lying(-1), lying(0.5), lying("2"), lying(NaN), lying(2 ** 53), lying({ valueOf() { throw 1; } })];`,
    expected: { value: Array.from({ length: 6 }, () => "[Array: no valid length]") },
  },
  {
    name: "an endless array as the result",
    source: "const items = [1]; items.length = 4_294_967_295; return items;",
    expected: { value: { "0": 1, length: 4_294_967_295 } },
  },
  {
    name: "ten thousand levels of nesting as the result",
    source: "let deep = 1; for (let level = 0; level < 10_000; level++) deep = [deep]; return deep;",
    expected: { value: nested("[Truncated: depth]", 500) },
  },
  {
    name: "a Proxy as a tool's input",
    source: `
      const asked = [];
      const input = new Proxy({ a: 1, b: { c: 2 } }, { get(target, key) { asked.push(String(key)); return target[key]; } });
      return [await echo(input), asked];`,
    expected: { value: [{ a: 1, b: { c: 2 } }, ["a", "b"]] },
  },
  {
    name: "inputs that throw, pose and cycle",
    source: `
      const cycle = {}; cycle.self = { cycle };
      const { proxy, revoke } = Proxy.revocable({}, {}); revoke();
      const inputs = [
        new Proxy({}, { ownKeys() { throw new RangeError("keys"); } }), proxy, new Proxy([], {}), { get a() { throw new Error("getter"); } },
        { a: { then() {} } }, { a: Promise.resolve() }, { a: [1n] }, cycle, new Map([["a", 1]]), Object.create({ inherited: 1 }), () => ({}),
      ];
      const results = [];
      for (const input of inputs) results.push(await echo(input).catch((error) => error.name + ": " + error.message));
      return results;`,
    expected: {
      value: [
        "TypeError: input cannot be read: RangeError: keys",
        "TypeError: revoked proxy",
        "TypeError: echo takes one object, but got an array: pass one object, such as echo({ key: value }).",
        "TypeError: input.a cannot be read: Error: getter",
        "TypeError: input.a.then is a function, which JSON cannot carry",
        "TypeError: input.a is a promise: await it first",
        "TypeError: input.a[0] is a BigInt, which JSON cannot carry",
        "TypeError: input.self.cycle refers back to an object around it, which JSON cannot carry",
        { a: 1 },
        {},
        "TypeError: echo takes one object, but got a function: pass one object, such as echo({ key: value }).",
      ],
    },
  },
  {
    name: "an input that changes after the call",
    source: "const input = { a: 1 }; const call = echo(input); input.a = 2; return (await call).a;",
    expected: { value: 1 },
  },
  {
    name: "an error whose fields throw",
    source: `
      const hostile = { get() { throw new Error("field"); } };
      throw Object.defineProperties(new Error("x"), { name: hostile, message: hostile, stack: hostile, cause: hostile, errors: hostile });`,
    expected: fails(
      'Uncaught {"name":"[Throws: Error: field]","message":"[Throws: Error: field]",' +
        '"errors":"[Throws: Error: field]","cause":"[Throws: Error: field]"}',
    ),
  },
  {
    name: "an error whose fields are not texts",
    source: `
      const fields = { name: { toString: () => "forged" }, message: ["m"], stack: 7, cause: null };
      const error = new Error("x");
      for (const [key, value] of Object.entries(fields)) Object.defineProperty(error, key, { value });
      throw error;`,
    expected: fails('Uncaught {"name":{"toString":"[Function: toString]"},"message":["m"],"cause":null}'),
  },
  {
    name: "a revoked Proxy, a symbol and a function thrown",
    source: `
      const messages = [];
      const { proxy, revoke } = Proxy.revocable({}, {}); revoke();
      for (const thrown of [proxy, Symbol("s"), function named() {}, -0, 1n]) {
        await new Promise((resolve) => { setTimeout(resolve, 1); });
        try { throw thrown; } catch (caught) { messages.push(typeof caught, caught === thrown); }
      }
      throw proxy;`,
    expected: fails("Uncaught [Throws: TypeError: revoked proxy]"),
  },
  {
    name: "causes without end",
    source: "const error = new Error('loop'); error.cause = error; throw error;",
    expected: fails("Error: loop"),
  },
  {
    name: "an AggregateError with getters, a Proxy and too many members",
    source: `
      const members = Array.from({ length: 1000 }, (_, index) => new TypeError("m" + index));
      members[1] = new Proxy(new Error("behind"), {});
      members[2] = { get message() { throw 1; }, name: "Half" };
      const error = new AggregateError(members, "all");
      Object.defineProperty(error.errors, 0, { get() { throw 1; } });
      throw error;`,
    expected: fails(
      'AggregateError: all [undefined; Error: behind; {"message":"[Throws: 1]","name":"Half"}; TypeError: m3; TypeError: m4; and 995 more]',
    ),
  },
  {
    name: "members that cannot be read",
    source: `
      const { proxy, revoke } = Proxy.revocable([], {}); revoke();
      throw Object.assign(new Error("x"), { errors: proxy });`,
    expected: fails("Error: x"),
  },
  {
    name: "a rejection and a getter that fight over who is first",
    source: `
      Promise.reject(new Error("rejected"));
      return { get a() { throw new Error("getter"); } };`,
    expected: fails("Error: rejected"),
  },
  {
    name: "an endless row of unhandled rejections",
    source: "for (let count = 0; count < 25_000; count++) Promise.reject(count); return 1;",
    expected: fails("Uncaught 0"),
  },
];

/** `value` inside so many arrays. */
function nested(value: unknown, levels: number): unknown {
  let deep = value;
  for (let level = 0; level < levels; level++) deep = [deep];
  return deep;
}
