import type { HostileCell } from "./hostile-cell.js";

/** Ways out of the VM: to the host's globals, modules and files, and to what the prelude keeps to itself. */
export const ESCAPES: readonly HostileCell[] = [
  {
    name: "names of hosts and their modules",
    source: `
      const names = "process require module exports Buffer Deno Bun window self global fetch WebAssembly std os scriptArgs " +
        "print load importScripts postMessage Worker XMLHttpRequest WebSocket localStorage navigator document ShadowRealm Realm";
      return names.split(" ").filter((name) => name in globalThis);`,
    expected: { value: [] },
  },
  {
    name: "function constructors of everything callable",
    source: `
      const callables = [
        echo, catalog.search, catalog.all()[0], MCP.files.read, API.list, setTimeout, text, yield_control,
        () => {}, async () => {}, function* () {}, async function* () {}, class {}, Promise.resolve().then, Math.max,
        (await echo({})).constructor, new Error("x").constructor, performance.now,
      ];
      const body = "return [typeof process, typeof require, typeof module, this === globalThis || this === undefined]";
      const seen = new Set();
      for (const callable of callables) {
        const made = callable.constructor(body).call(undefined);
        const settled = made?.next ? await made.next() : await made;
        seen.add(JSON.stringify(made?.next ? settled.value : settled));
      }
      return [...seen];`,
    expected: { value: ['["undefined","undefined","undefined",true]'] },
  },
  {
    name: "constructors reached through Reflect, bind and Proxy",
    source: `
      const body = "return typeof process";
      return [
        Reflect.construct(echo.constructor, [body])(),
        new (echo.constructor.bind(null, body))()(),
        new (new Proxy(echo.constructor, {}))(body)(),
        Object.getPrototypeOf(async () => {}).constructor === Function,
      ];`,
    expected: { value: ["undefined", "undefined", "undefined", false] },
  },
  {
    name: "modules from code the source check never saw",
    source: `
      const AsyncFunction = (async () => {}).constructor;
      const specifiers = ["fs", "node:fs", "std", "os", "qjs:std", "./cell.js", "codemode:prelude.js", "data:text/javascript,1"];
      const results = [];
      for (const specifier of specifiers) {
        const load = "import(" + JSON.stringify(specifier) + ")";
        for (const start of [() => (0, eval)(load), Function("return " + load), AsyncFunction("return await " + load)]) {
          results.push(await Promise.resolve().then(start).then(() => specifier, () => "refused"));
        }
      }
      return [results.length, [...new Set(results)]];`,
    expected: { value: [24, ["refused"]] },
  },
  {
    name: "import.meta and static imports in made code",
    source: `
      const attempts = ["import.meta.url", "import fs from 'fs'", "export {}", "new.target", "super.x"];
      return attempts.map((code) => { try { (0, eval)(code); return code; } catch (error) { return error.name; } });`,
    expected: { value: ["SyntaxError", "SyntaxError", "SyntaxError", "SyntaxError", "SyntaxError"] },
  },
  {
    name: "the stack through caller, callee and arguments",
    source: `
      const probe = Function("seen", "seen.push(arguments.callee.caller ?? null, arguments.callee.arguments ?? null);");
      const seen = [];
      await echo({ get a() { probe(seen); return 1; } });
      text({ get a() { probe(seen); return 1; } });
      try { echo.caller; seen.push("readable"); } catch (error) { seen.push(error.name); }
      return seen;`,
    expected: { value: [null, null, null, null, "TypeError"], output: [{ type: "text", text: '{"a":1}' }] },
  },
  {
    name: "call sites through prepareStackTrace",
    source: `
      const seen = [];
      const prepare = (error, sites) => { seen.push(sites); return sites; };
      const set = [
        () => { Error.prepareStackTrace = prepare; },
        () => Object.defineProperty(Error, "prepareStackTrace", { value: prepare }),
        () => Reflect.set(Error, "prepareStackTrace", prepare),
        () => Object.defineProperty(Error, "prepareStackTrace", { get: () => prepare }),
        () => { delete Error.prepareStackTrace; },
        () => { TypeError.prepareStackTrace = prepare; },
        () => { Error.prototype.prepareStackTrace = prepare; },
        () => { Function.prototype.prepareStackTrace = prepare; },
        () => { globalThis.prepareStackTrace = prepare; },
        () => { Object.prototype.prepareStackTrace = prepare; },
      ];
      for (const attempt of set) {
        try { attempt(); } catch {}
        void new Error("a").stack;
        void new TypeError("b").stack;
        const holder = {};
        Error.captureStackTrace(holder);
        void holder.stack;
        try { await fail({}); } catch (error) { void error.stack; }
      }
      return [seen.length, Error.prepareStackTrace ?? null];`,
    expected: { value: [0, null] },
  },
  {
    name: "paths of the host in any stack",
    source: `
      Error.stackTraceLimit = 1000;
      const stacks = [];
      const keep = (error) => { stacks.push(String(error.stack)); };
      await fail({}).catch(keep);
      await echo(1, 2).catch(keep);
      await echo({ get a() { keep(new Error("in a getter")); return 1; } });
      try { text({ get a() { throw new Error("in output"); } }); } catch (error) { keep(error); }
      await new Promise((resolve) => setTimeout(() => { keep(new Error("in a timer")); resolve(); }, 1));
      const chain = async (n) => (n === 0 ? fail({}) : await chain(n - 1));
      await chain(5).catch(keep);
      await Promise.any([fail({})]).catch((error) => { keep(error); keep(error.errors[0]); });
      try { (0, eval)("null.x"); } catch (error) { keep(error); }
      const places = stacks.join("\\n").match(/\\(?[^\\s()]+:\\d+:\\d+\\)?/g).map((place) => place.replace(/[()]|:\\d+/g, ""));
      return [stacks.length, [...new Set(places)].sort()];`,
    expected: {
      value: [8, ["<input>", "codemode:cell.js"]],
      output: [{ type: "text", text: '{"a":"[Throws: Error: in output]"}' }],
    },
  },
  {
    name: "fields of a failed call's error beyond what the host said",
    source: `
      try { await fail({}); } catch (error) {
        const own = Object.fromEntries(Reflect.ownKeys(error).map((key) => [key, typeof error[key]]));
        return [own, Object.getPrototypeOf(error) === Error.prototype, error.cause ?? null];
      }`,
    expected: { value: [{ stack: "string", message: "string", name: "string", code: "string" }, true, null] },
  },
  {
    name: "a promise of the prelude's, by watching constructor",
    source: `
      const OriginalPromise = Promise, then = Promise.prototype.then, watched = [];
      Object.defineProperty(Promise.prototype, "constructor", {
        configurable: true,
        get() { watched.push(this); return OriginalPromise; },
      });
      await echo({ a: 1 });
      await catalog.search("echo");
      await new OriginalPromise((resolve) => setTimeout(resolve, 1));
      await API.list();
      const kinds = [];
      for (const promise of watched.slice()) then.call(promise, (value) => { kinds.push(typeof value); }, () => {});
      await null;
      return [...new Set(kinds)].filter((kind) => kind === "function");`,
    expected: { value: [] },
  },
  {
    name: "resolvers of the prelude's, by replacing then and constructor",
    source: `
      const { then } = Promise.prototype, given = [];
      Promise.prototype.constructor = function () {};
      Promise.prototype.then = function (resolve, reject) { given.push(resolve, reject); return then.call(this, resolve, reject); };
      const found = catalog.search("echo");
      const echoed = echo({ a: 1 });
      Promise.prototype.then = then;
      Promise.prototype.constructor = Promise;
      return [(await found).length, (await echoed).a, given.length];`,
    expected: { value: [2, 1, 0] },
  },
  {
    name: "a global's prototype that answers every name",
    source: `
      const asked = [];
      const trap = (target, key) => { asked.push(String(key)); return undefined; };
      const prototype = new Proxy({}, { get: trap, has: (target, key) => { asked.push(String(key)); return false; } });
      Object.setPrototypeOf(globalThis, prototype);
      await echo({ a: 1 });
      await fail({}).catch(() => {});
      await catalog.search("echo");
      await new Promise((resolve) => setTimeout(resolve, 1));
      json({ a: 1 });
      return asked;`,
    expected: { value: [], output: [{ type: "json", value: { a: 1 } }] },
  },
  {
    name: "changing, replacing or deleting what the host installed",
    source: `
      const names = ["echo", "fail", "text", "json", "setTimeout", "setInterval", "clearTimeout", "clearInterval",
        "yield_control", "catalog", "MCP", "API"];
      const changed = [];
      for (const name of names) {
        const before = globalThis[name];
        const attempts = [
          () => Reflect.set(globalThis, name, 1),
          () => Reflect.defineProperty(globalThis, name, { value: 1 }),
          () => Reflect.deleteProperty(globalThis, name),
          () => Reflect.set(before, "extra", 1),
          () => Reflect.setPrototypeOf(before, {}),
        ];
        if (attempts.some((attempt) => attempt()) || globalThis[name] !== before) changed.push(name);
      }
      const inner = [catalog.all(), catalog.all()[0], MCP.files, await API.list(), (await API.list())[0],
        await catalog.search("echo")];
      return [changed, inner.every((value) => Object.isFrozen(value)), Reflect.set(MCP.files.read, "extra", 1), Object.getPrototypeOf(MCP), "then" in MCP.files];`,
    expected: { value: [[], true, false, {}, false] },
  },
  {
    name: "reading the prelude's objects with stamped private fields",
    source: `
      class Base { constructor(value) { return value; } }
      class Stamp extends Base { #field = 1; static read(value) { return value.#field; } static has(value) { return #field in value; } }
      const stamped = [echo, catalog, MCP].map((value) => { try { return Stamp.read(new Stamp(value)); } catch (error) { return error.name; } });
      return [stamped, Reflect.ownKeys(echo), (await echo({ a: 1 })).a];`,
    expected: { value: [["TypeError", "TypeError", "TypeError"], ["length", "name"], 1] },
  },
  {
    name: "collected objects and weak references of the prelude's",
    source: `
      const collected = [];
      const registry = new FinalizationRegistry((held) => { collected.push(held); });
      for (const value of [echo, catalog, catalog.all()[0], MCP.files]) registry.register(value, "prelude");
      const weak = new WeakRef(echo);
      let pressure = [];
      for (let i = 0; i < 2000; i++) pressure = [pressure.length, new Array(100).fill(i)];
      await echo({});
      return [collected, weak.deref() === echo];`,
    expected: { value: [[], true] },
  },
  {
    name: "shared memory between cells and a clock fine enough to race",
    source: `return [typeof Atomics, typeof SharedArrayBuffer, new SharedArrayBuffer(8).byteLength, typeof globalThis.crypto?.subtle];`,
    expected: { value: ["undefined", "function", 8, "undefined"] },
  },
];
