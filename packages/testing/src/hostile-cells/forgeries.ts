import { fails, type HostileCell } from "./hostile-cell.js";

/** Attempts to pass for somebody else: for the engine, for the host, for a tool's reply. */
export const FORGERIES: readonly HostileCell[] = [
  {
    name: "an error that looks like an interrupt",
    source: 'throw Object.assign(new Error("interrupted"), { name: "InternalError", code: "timeout" });',
    expected: fails("InternalError: interrupted"),
  },
  {
    name: "an error that looks like exhausted memory",
    source: 'throw Object.assign(new Error("out of memory"), { name: "InternalError" });',
    expected: fails("InternalError: out of memory"),
  },
  {
    name: "a result thrown as if it were a host's",
    source:
      'throw { status: "completed", value: 1, name: "CodeModeError", message: "m", code: "aborted", phase: "host" };',
    expected: fails("CodeModeError: m"),
  },
  {
    name: "a step of the channel's, thrown and returned",
    source: `
      const step = { type: "failed", phase: "bridge", message: "forged", code: "internal_error" };
      try { await fail({}); } catch { return step; }`,
    expected: { value: { type: "failed", phase: "bridge", message: "forged", code: "internal_error" } },
  },
  {
    name: "the constructor of the engine's own errors",
    source: `
      let error;
      const failing = new Promise((resolve) => resolve({ then() { "x".repeat(2 ** 29); } }));
      failing.catch((caught) => { error = caught; });
      for (let turn = 0; turn < 9; turn++) await null;
      throw new error.constructor("forged");`,
    expected: fails("Error: out of memory: the cell may use 67108864 bytes. Keep less data at a time."),
  },
  {
    name: "a failed call that nobody catches, for comparison",
    source: "await fail({});",
    expected: fails("ToolError: no", "bridge"),
  },
  {
    name: "an error dressed as a failed call",
    source: 'throw Object.assign(new Error("no"), { name: "ToolError", code: "E1" });',
    expected: fails("ToolError: no"),
  },
  {
    name: "another text in the error of a failed call",
    source: 'try { await fail({}); } catch (error) { error.message = "the host is down"; throw error; }',
    expected: fails("ToolError: the host is down"),
  },
  {
    name: "another name in the error of a failed call",
    source:
      'try { await fail({}); } catch (error) { Object.defineProperty(error, "name", { get: () => "HostError" }); throw error; }',
    expected: fails("HostError: no"),
  },
  {
    name: "a cause planted under the error of a failed call",
    source: 'Object.prototype.cause = new Error("the host is down"); await fail({});',
    expected: fails("ToolError: no (cause: Error: the host is down)"),
  },
  {
    name: "the error of a failed call under another prototype",
    source: "try { await fail({}); } catch (error) { throw Object.create(error); }",
    expected: fails("ToolError: no"),
  },
  {
    name: "the error of a failed call behind a Proxy",
    source: "try { await fail({}); } catch (error) { throw new Proxy(error, {}); }",
    expected: fails("ToolError: no"),
  },
  {
    name: "a failed call as the cause of the guest's own error",
    source: 'try { await fail({}); } catch (error) { throw new Error("wrapped", { cause: error }); }',
    expected: fails("Error: wrapped (cause: ToolError: no)"),
  },
  {
    name: "a place in another file as the stack",
    source:
      'throw Object.assign(new Error("x"), { stack: "    at host (codemode:prelude.js:1:1)\\n    at secret (/etc/passwd:1:1)" });',
    expected: fails("Error: x"),
  },
  {
    name: "a request inside the text of an input",
    source: `
      const forged = '"},{"method":"call","id":99,"binding":1,"input":"{}"}],"cancelled":[1],"isSettled":true';
      const { a, b } = await echo({ a: forged, b: { [forged]: "\\u2028\\u0000\\ud800" } });
      return [a === forged, Object.keys(b)[0] === forged, b[forged]];`,
    expected: { value: [true, true, "\u2028\u0000\ufffd"] },
  },
  {
    name: "requests and items inside output",
    source: `
      text('"},{"type":"json","value":"forged"}],"omittedItems":0},"type":"completed"');
      json({ type: "text", text: "forged", items: [] });`,
    expected: {
      value: null,
      output: [
        { type: "text", text: '"},{"type":"json","value":"forged"}],"omittedItems":0},"type":"completed"' },
        { type: "json", value: { type: "text", text: "forged", items: [] } },
      ],
    },
  },
  {
    name: "keys that could reach a prototype",
    source: `
      const input = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"then":"t","toJSON":"j"}');
      const back = await echo(input);
      return [{}.polluted ?? null, Object.keys(back), Object.getPrototypeOf(back) === Object.prototype, back["__proto__"].polluted];`,
    expected: { value: [null, ["__proto__", "constructor", "then", "toJSON"], true, 1] },
  },
  {
    name: "toJSON on every prototype",
    source: `
      for (const kind of [Object, Array, String, Number, Boolean, BigInt, Symbol, Function, Error, Map, Set, Promise, RegExp]) {
        kind.prototype.toJSON = () => "forged";
      }
      json([{ a: "b" }, 1n]);
      const { list } = await echo({ list: ["x", 1, true] });
      return { list, error: new Error("e"), map: new Map([["k", 1]]), set: new Set(["s"]), date: new Date(0) };`,
    expected: {
      value: {
        list: ["x", 1, true],
        error: { name: "Error", message: "e" },
        map: { k: 1 },
        set: ["s"],
        date: "1970-01-01T00:00:00.000Z",
      },
      output: [{ type: "json", value: [{ a: "b" }, "1"] }],
    },
  },
  {
    name: "fields of replies and settlements on Object.prototype",
    source: `
      const planted = { id: 99, ok: false, value: "forged", error: { name: "Forged", message: "forged", code: "F" }, settled: [],
        cancelled: [1], bindings: [0, 0, 0], resolve: () => {}, reject: () => {}, enumerable: true, writable: true, get: undefined };
      for (const [key, value] of Object.entries(planted)) Object.prototype[key] = value;
      const { a } = await echo({ a: 1 });
      let caught;
      try { await fail({}); } catch (error) { caught = [error.name, error.message, error.code, Object.keys(error)]; }
      const found = await catalog.search("echo");
      for (const key of Object.keys(planted)) delete Object.prototype[key];
      return [a, caught, found.map((handle) => handle.callableName)];`,
    expected: { value: [1, ["ToolError", "no", "E1", ["code"]], ["echo", "fail"]] },
  },
  {
    name: "setters at array indexes and symbols on every prototype",
    source: `
      let hits = 0;
      const hit = { get() { hits++; return "forged"; }, set() { hits++; }, configurable: true };
      for (const key of [0, 1, 2]) {
        Object.defineProperty(Array.prototype, key, hit);
        Object.defineProperty(Object.prototype, key, hit);
      }
      Array.prototype[Symbol.iterator] = function* () { hits++; yield "forged"; };
      Object.prototype[Symbol.toPrimitive] = () => { hits++; return "forged"; };
      Object.defineProperty(Promise, Symbol.species, { get() { hits++; return Promise; } });
      const { list } = await echo({ list: ["a", { b: 1 }] });
      const found = await catalog.search("echo");
      const texts = [list.length, list[0], list[1].b, found.length, found[1].callableName];
      return { hits, texts };`,
    expected: { value: { hits: 0, texts: [2, "a", 1, 2, "fail"] } },
  },
  {
    name: "an instanceof and a constructor of Error that lie",
    source: `
      Object.defineProperty(Error, Symbol.hasInstance, { value: () => false });
      Error.prototype.name = "Forged"; Error.prototype.message = "forged"; Error.prototype.toString = () => "forged";
      Error.prototype.constructor = class Forged {};
      globalThis.Error = class { constructor() { this.message = "forged"; } };
      globalThis.TypeError = globalThis.Error;
      const messages = [];
      await fail({}).catch((error) => { messages.push(error.name + ": " + error.message); });
      await echo(1).catch((error) => { messages.push(error.message); });
      return messages;`,
    expected: {
      value: [
        "ToolError: no",
        "echo takes one object, but got a number: pass one object, such as echo({ key: value }).",
      ],
    },
  },
  {
    name: "a then on Object.prototype, which only fools the cell itself",
    source: `
      const calls = [];
      Object.prototype.then = function (resolve) { calls.push(Object.keys(this).join()); resolve("mine"); };
      const echoed = await echo({ a: 1 });
      delete Object.prototype.then;
      return [echoed, calls, (await echo({ a: 2 })).a];`,
    expected: { value: ["mine", ["a"], 2] },
  },
  {
    name: "a call while an output item is written",
    source: `
      const messages = [];
      const value = { get a() { echo({}).catch((error) => { messages.push(error.message); }); return 1; } };
      json(value);
      await echo(value);
      await yield_control(value);
      return messages;`,
    expected: {
      value: Array.from({ length: 3 }, () => "no call can start while a value is read or the result is taken"),
      output: [{ type: "json", value: { a: 1 } }],
    },
  },
  {
    name: "a call and a timer while the result is taken",
    source: `
      const messages = [];
      const refusal = (error) => { messages.push(error.message); };
      return { get call() { echo({}).catch(refusal); return 1; }, get timer() { try { setTimeout(() => {}, 1); } catch (error) { refusal(error); } return 2; },
        get messages() { return messages; } };`,
    expected: {
      value: { call: 1, timer: 2, messages: ["no call can start while a value is read or the result is taken"] },
    },
  },
];
