import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createLibraryCells } from "./library-cells.js";

const { failureOf, textsOf, valueOf } = createLibraryCells();
const REPLACE = readFileSync(new URL("fixtures/guest/replace-built-ins.js", import.meta.url), "utf8");

// Only operators and the library itself: everything else is replaced by then.
test.each([
  ["new Intl.NumberFormat('de', { __proto__: null, minimumFractionDigits: 2 }).format(1234.5)", "1.234,50"],
  [
    "new Intl.DateTimeFormat('en', { __proto__: null, timeZone: 'Asia/Tokyo', dateStyle: 'short' }).format(0)",
    "1/1/70",
  ],
  ["'' + new Intl.Collator('sv').compare('z', 'ä')", "-1"],
  ["new Intl.Segmenter().segment('ab').containing(1).segment", "b"],
  ["new Intl.Locale('zh-TW').maximize().script", "Hant"],
  ["new URL('http://u:p@a.b:81/c?d=e#f').port", "81"],
  [
    "(() => { const url = new URL('http://a/?b=1'); url.searchParams.append('c', 2); return url.href; })()",
    "http://a/?b=1&c=2",
  ],
  ["'' + new URLSearchParams('b=1&a=2').has('a')", "true"],
  ["new TextDecoder().decode(new TextEncoder().encode('é漢'))", "é漢"],
  ["new TextDecoder('utf-16le').decode(new TextEncoder().encode('aé'))", "썡\ufffd"],
  ["'' + structuredClone({ __proto__: null, deep: { __proto__: null, n: 7 } }).deep.n", "7"],
  ["crypto.randomUUID()[14]", "4"],
  ["'' + AbortSignal.abort('why').reason", "why"],
])("GUEST-03, ERR-04: a cell that replaced every built-in first gets the right %s", async (expression, value) => {
  const code = `${REPLACE}\nconst value = ${expression}; text(value); text(calls);`;
  expect(await textsOf(code)).toEqual([value, ""]);
});

test("GUEST-02, ERR-04: nor does the console use a replaced built-in", async () => {
  const code = `const value = { a: [1], when: new Date(0), map: new Map([["k", 1]]) }; const error = new RangeError("bad");
    ${REPLACE}\nconsole.log("%s", value, 5, error); console.table(value); text(calls);`;
  expect(await textsOf(code)).toEqual([
    '{"a":[1],"when":"1970-01-01T00:00:00.000Z","map":{"k":1}} 5 RangeError: bad',
    "(index) | 0 | Values | k\na | 1 |  | \nwhen |  | 1970-01-01T00:00:00.000Z | \nmap |  |  | 1",
    "",
  ]);
});

test("SEC-01: the functions that ask the host are reachable from nothing a cell gets", async () => {
  const code = `
    const seen = new Set(), queue = [globalThis], found = [];
    const add = (value) => {
      if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
      seen.add(value);
      queue.push(value);
    };
    for (const make of [
      () => new Intl.NumberFormat(), () => new Intl.Segmenter().segment("a"), () => new URL("http://a"),
      () => new URL("http://a").searchParams, () => new URLSearchParams("a=1").entries(), () => new TextDecoder(),
      () => AbortSignal.abort(), () => crypto, () => console, () => new Intl.Collator().compare,
    ]) add(make());
    for (const fail of [() => new URL("x"), () => new Intl.NumberFormat("x y"), () => structuredClone(() => 1), () => fetch]) {
      try { fail(); } catch (error) { add(error); }
    }
    while (queue.length > 0) {
      const value = queue.pop();
      add(Object.getPrototypeOf(value));
      for (const key of Reflect.ownKeys(value)) {
        const descriptor = Object.getOwnPropertyDescriptor(value, key);
        add(descriptor.value); add(descriptor.get); add(descriptor.set);
      }
      if (typeof value === "function" && /codemode:|answer|receive/.test(value.name + value)) found.push(value.name);
    }
    return [found, seen.size > 500];`;
  expect(await valueOf(code)).toEqual([[], true]);
});

test("the source of prelude and library cannot be read", async () => {
  const code = `return [text, URL, structuredClone, Number.prototype.toLocaleString, setTimeout].every((f) => /\\[native code\\]/.test(f));`;
  expect(await valueOf(code)).toBe(true);
});

test("GUEST-04: getters and Proxies in options run in the guest, once each, and may throw", async () => {
  const code = `
    const read = [];
    const options = new Proxy({ style: "percent", maximumFractionDigits: 1 }, { get(target, key) { read.push(String(key)); return target[key]; } });
    const texts = [(0.256).toLocaleString("en", options)];
    const throwing = [{ get style() { throw new EvalError("mine"); } }, { style: { toString() { throw new EvalError("mine"); } } }, { style: Symbol() }];
    for (const bad of throwing) { try { (1).toLocaleString("en", bad); } catch (error) { texts.push(error.name); } }
    const locales = { length: 2, get 0() { return "de"; }, 1: { toString: () => "en" } };
    texts.push((1.5).toLocaleString(locales));
    return [texts, read.filter((key) => key === "style").length, new Set(read).size === read.length];`;
  expect(await valueOf(code)).toEqual([["25.6%", "EvalError", "EvalError", "TypeError", "1,5"], 1, true]);
});

test.each([
  ["(1).toLocaleString({ length: 1e7, 0: 'en' })", "RangeError: 10000000 locales are too many here: at most 100."],
  ["(1).toLocaleString('a'.repeat(300))", "RangeError: A text of 300 characters is too long here: at most 256."],
  [
    "(1).toLocaleString('en', { currency: 'a'.repeat(30_000) })",
    "RangeError: A text of 30000 characters is too long here: at most 256.",
  ],
  [
    "'a'.repeat(70000).localeCompare('b', 'de')",
    "RangeError: A text of 70000 characters is too long here: at most 65536.",
  ],
  ["'a'.repeat(2e6).localeCompare('b', 'de')", "RangeError: The input is too long here: 2000147 characters."],
  [
    "'a\\u0301\\u0323'.padEnd(300, '\\u0301\\u0323').localeCompare('b')",
    "RangeError: A text with so many combining marks in a row cannot be compared.",
  ],
  [
    "'i'.repeat(70000).toLocaleUpperCase('tr')",
    "RangeError: A text of 70000 characters is too long here: at most 65536.",
  ],
  ["new Intl.ListFormat().format(Array(9000).fill('a'))", "RangeError: 9000 texts are too many here: at most 8192."],
  [
    "new Intl.Segmenter().segment('漢'.repeat(5000))",
    "RangeError: The text is too long to be segmented: 5000 characters.",
  ],
  [
    "new Intl.NumberFormat().format(BigInt('9'.repeat(20000)))",
    "RangeError: A text of 20000 characters is too long here: at most 10000.",
  ],
  [
    "new URL('http://a').searchParams.append('a', 'b'.repeat(70000))",
    "RangeError: A text of 70000 characters is too long here: at most 65536.",
  ],
])("LIM-02: %s is refused, so that one call of the host stays short", async (expression, message) => {
  expect(await valueOf(`try { ${expression}; } catch (error) { return error.name + ": " + error.message; }`)).toBe(
    message,
  );
});

test("LIM-01: calls of the host count against the deadline", async () => {
  const code = `try { for (;;) new Date().toLocaleString("de"); } catch { return "caught"; } finally { for (;;) "ä".localeCompare("b"); }`;
  const { runCell } = await import("./run-cell.js");
  expect(await runCell(code, { budgetMs: 200 })).toMatchObject({ type: "failed", failure: { code: "timeout" } });
});

test("ERR-01: near the end of the stack the library fails in a way a cell can catch, and works again afterwards", async () => {
  const code = `
    let caught = 0;
    const dive = () => { try { dive(); } catch (error) { caught++; throw error; } new Intl.NumberFormat("de").format(1.5); new URL("http://a"); };
    try { dive(); } catch (error) { caught += 0; }
    const walk = (n) => { const text = (1.5).toLocaleString("de"); return text === "1,5" ? walk(n + 1) : n; };
    let name; try { walk(0); } catch (error) { name = error.name; }
    return [name, caught > 0, (1.5).toLocaleString("de"), new URL("http://a").href];`;
  expect(await valueOf(code)).toEqual(["RangeError", true, "1,5", "http://a/"]);
});

test("GUEST-03: the library's globals are the cell's to replace and delete, without harm to the rest", async () => {
  const code = `
    const seen = [typeof URL];
    URL = 5; seen.push(URL); seen.push(new URLSearchParams("a=1").get("a"), URL);
    globalThis.Intl = undefined; seen.push(typeof Intl, (1.5).toLocaleString("de"));
    seen.push(delete globalThis.console, typeof console);
    Object.defineProperty(globalThis, "crypto", { value: "mine" }); seen.push(crypto);
    return seen;`;
  expect(await valueOf(code)).toEqual(["function", 5, "1", 5, "undefined", "1,5", true, "undefined", "mine"]);
});

test("subclasses, species and call of constructors without new", async () => {
  const code = `
    class Site extends URL { get name() { return this.hostname; } }
    class Money extends Intl.NumberFormat { constructor() { super("en", { style: "currency", currency: "EUR" }); } }
    class Bytes extends Uint8Array { static get [Symbol.species]() { throw new Error("species"); } }
    const bytes = new Bytes([104, 105]);
    return [
      new Site("http://a.b").name, new Site("http://a") instanceof URL, new Money().format(2), new Money() instanceof Money,
      new TextDecoder().decode(bytes), structuredClone(bytes).constructor === Uint8Array,
      Intl.NumberFormat("de").format(1.5), Intl.NumberFormat("de") instanceof Intl.NumberFormat,
      crypto.getRandomValues(bytes) === bytes,
    ];`;
  expect(await valueOf(code)).toEqual(["a.b", true, "€2.00", true, "hi", true, "1,5", true, true]);
});

test("an error in a listener of a signal is an uncaught error of the cell", async () => {
  const code = `
    const controller = new AbortController();
    controller.signal.addEventListener("abort", () => { throw new RangeError("mine"); });
    controller.abort();
    return "aborted";`;
  expect(await failureOf(code)).toBe("RangeError: mine");
});
