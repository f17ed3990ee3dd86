import { readFileSync } from "node:fs";
import { createContext, runInContext, type Context } from "node:vm";
import { build } from "esbuild";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { cutUtf8, utf8Bytes } from "../src/index.js";

const fixture = new URL("fixtures/guest/replace-everything.js", import.meta.url);
let bundle = "";

/** The walker as the guest prelude bundles it. */
beforeAll(async () => {
  const entry = new URL("../src/index.ts", import.meta.url).pathname;
  const contents = `export { cutUtf8, encodeJson, toJsonText, utf8Bytes } from ${JSON.stringify(entry)};`;
  const options = { bundle: true, write: false, format: "iife", globalName: "bridge", target: "es2023" } as const;
  const stdin = { contents, resolveDir: import.meta.dirname, loader: "ts" } as const;
  const result = await build({ ...options, stdin, conditions: ["@codemode/source"] });
  bundle = result.outputFiles[0]?.text ?? "";
});

function hostileContext(prepare: string): Context {
  const context = createContext({ calls: "" });
  runInContext(bundle, context);
  runInContext(prepare, context);
  runInContext(readFileSync(fixture, "utf8"), context);
  return context;
}

const PREPARE = `
  class Row { id = 1; }
  var cyclic = { a: 1 };
  cyclic.self = cyclic;
  var value = {
    text: 'quote " and \\u0000 é 😀 \\ud800', number: 1.5, not: NaN, yes: true, none: null, gone: undefined, big: 5n,
    list: [1, , "three", [4]], row: new Row(), date: new Date(0), map: new Map([["k", [1]]]), pairs: new Map([[1, 2]]),
    set: new Set(["s"]), bytes: new Uint8Array([1, 2]), pattern: /a/gi, fn: function named() {}, symbol: Symbol("s"),
    error: Object.assign(new RangeError("bad", { cause: "c" }), { code: "E" }), promise: Promise.resolve(1), cyclic,
    boxed: Object("b"), get bad() { throw new RangeError("no"); }, ["__proto__"]: 1,
  };
  var wide = "é漢😀".repeat(5000);
`;

test("ERR-04: a cell that replaces every built-in cannot change what the walker writes", () => {
  const context = hostileContext(PREPARE);
  const text = runInContext("bridge.toJsonText(value)", context) as string;
  expect(JSON.parse(text)).toEqual({
    text: 'quote " and \u0000 é 😀 \ufffd',
    number: 1.5,
    not: null,
    yes: true,
    none: null,
    big: "5",
    list: [1, "HIJACKED", "three", [4]],
    row: { id: 1 },
    date: "1970-01-01T00:00:00.000Z",
    map: { k: [1] },
    pairs: [[1, 2]],
    set: ["s"],
    bytes: [1, 2],
    pattern: "[RegExp: /a/gi]",
    fn: "[Function: named]",
    symbol: "[Symbol: s]",
    error: { name: "RangeError", message: "bad", code: "E", cause: "c" },
    promise: "[Promise: await it to get its value]",
    cyclic: { a: 1, self: "[Circular]" },
    boxed: "b",
    bad: "[Throws: RangeError: no]",
    ["__proto__"]: 1,
  });
  // The hole in `list` reads the planted getter: the cell's own doing, and the only code of the cell that ran.
  expect(runInContext("calls", context)).toBe("planted 1;");
});

test("ERR-04: nor sizes, cuts and refusals", () => {
  const context = hostileContext(PREPARE);
  const evaluate = (code: string): unknown => runInContext(code, context);
  expect(evaluate("bridge.utf8Bytes(wide)")).toBe(45_000);
  expect(evaluate("bridge.cutUtf8(wide, 40000).length")).toBe(17_777);
  expect(evaluate("bridge.encodeJson(wide, 100).bytes")).toBe(45_002);
  expect(evaluate(`try { bridge.toJsonText({ "a b": [() => 1] }, { mode: "input" }) } catch (e) { e.message }`)).toBe(
    'input["a b"][0] is a function, which JSON cannot carry',
  );
  expect(evaluate("calls")).toBe("");
});

test("LIM-04: an engine without a count of its own sizes and cuts texts as one that has it", () => {
  const context = createContext({ seen: "" });
  runInContext(bundle, context);
  const [bytesOf, cut] = runInContext("[bridge.utf8Bytes, bridge.cutUtf8]", context) as [
    typeof utf8Bytes,
    typeof cutUtf8,
  ];
  const unit = fc.constantFrom("a", "é", "漢", "😀", "\ud83d", "\ude00", "\u0000", "\uffff");
  const anyText = fc.tuple(fc.array(unit), fc.nat(3000)).map(([units, times]) => units.join("").repeat(times));
  fc.assert(
    fc.property(anyText, fc.nat(20_000), (text, maxBytes) => {
      expect(bytesOf(text)).toBe(utf8Bytes(text));
      expect(cut(text, maxBytes)).toBe(cutUtf8(text, maxBytes));
    }),
    { seed: 7, numRuns: 50 },
  );
});
