import { expect, test } from "vitest";
import { createLibraryCells } from "./library-cells.js";

const { textsOf, valueOf } = createLibraryCells();

test("GUEST-02: every level is one text item, in the order of the calls", async () => {
  const code = `
    console.log("step", 1, { a: [1, 2] }); text("between"); console.info("info"); console.warn("warn");
    console.error("bad thing"); console.debug("debug"); console.log();`;
  expect(await textsOf(code)).toEqual(['step 1 {"a":[1,2]}', "between", "info", "warn", "bad thing", "debug", ""]);
});

test.each([
  [
    "text as it is, other primitives as JavaScript writes them",
    '"a b", 1.5, true, null, undefined, 5n, NaN, Symbol("s")',
    "a b 1.5 true null undefined 5n NaN Symbol(s)",
  ],
  [
    "objects as their plain form",
    "[1, undefined], new Map([['k', 1]]), new Set([2]), new Uint8Array([3])",
    '[1,null] {"k":1} [2] [3]',
  ],
  [
    "what the plain form writes as text without quotes",
    "new Date(0), /a/g, function named() {}, new URL('http://a')",
    "1970-01-01T00:00:00.000Z [RegExp: /a/g] [Function: named] http://a/",
  ],
  [
    "errors as name, message, fields and cause",
    "Object.assign(new RangeError('bad', { cause: new Error('why') }), { code: 'E' })",
    'RangeError: bad {"code":"E"} (cause: Error: why)',
  ],
  ["a cycle", "(() => { const a = {}; a.a = a; return a; })()", '{"a":"[Circular]"}'],
  [
    "placeholders",
    "'%s is %d, %i and %f; %j %o %c%%', 'it', 1.5, 2.9, '3.5', { a: 1 }, [2], 'css', 'rest', 4",
    'it is 1.5, 2 and 3.5; {"a":1} [2] % rest 4',
  ],
  ["placeholders without values stay", "'%s %d %x 100%', 1", "1 %d %x 100%"],
  ["a percent sign in later texts", "'a', '%s', 1", "a %s 1"],
  [
    "a handle of the catalog",
    "catalog.all()[0]",
    '{"callableName":"echo","toolName":"echo","description":"About echo.","source":"host","input":"{}"}',
  ],
])("GUEST-02: %s", async (_name, values, line) => {
  expect(await textsOf(`console.log(${values});`)).toEqual([line]);
});

test("GUEST-02: no getter, toJSON or toString of a value runs", async () => {
  const code = `
    const ran = [];
    const note = (name) => () => { ran.push(name); return name; };
    const value = { get now() { ran.push("getter"); }, toJSON: note("toJSON"), toString: note("toString"), valueOf: note("valueOf") };
    const error = new Error("m");
    Object.defineProperty(error, "name", { get: note("name") });
    Object.defineProperty(error, "code", { get: note("code"), enumerable: true });
    class Named { static get name() { ran.push("class name"); } }
    console.log(value, error, Named, [value]);
    console.log("%s %d %i %j", value, value, value, value);
    console.table([value]);
    console.dir(value);
    console.assert(false, value);
    return ran;`;
  expect(await valueOf(code)).toEqual([]);
});

test("GUEST-02: the other methods", async () => {
  const code = `
    console.table([{ a: 1, b: "x" }, { a: 2, c: [1] }, 5]);
    console.table("no rows");
    console.group("outer"); console.log("in"); console.group(); console.warn("deeper"); console.groupEnd();
    console.groupEnd(); console.groupEnd(); console.log("out");
    console.count(); console.count("x"); console.count(); console.countReset(); console.count();
    console.assert(1 < 2, "never"); console.assert(0, "is", 0); console.assert();
    console.trace("here"); console.dir({ a: 1 }, { depth: 0 });
    console.timeEnd("none");`;
  expect(await textsOf(code)).toEqual([
    "(index) | a | b | c | Values\n0 | 1 | x |  | \n1 | 2 |  | [1] | \n2 |  |  |  | 5",
    "no rows",
    "outer",
    "  in",
    "    deeper",
    "out",
    ...["default: 1", "x: 1", "default: 2", "default: 1"],
    ...["Assertion failed: is 0", "Assertion failed", "Trace: here", '{"a":1}', "Timer none does not exist"],
  ]);
  const [line] = (await textsOf("console.time('t'); console.timeEnd('t');")) as string[];
  expect(line).toMatch(/^t: \d+(\.\d+)? ms$/);
});

test("GUEST-02: a cell may replace console and its methods", async () => {
  const code = `
    const lines = [];
    console.log = (line) => lines.push(line);
    console.log("mine");
    globalThis.console = { log: (line) => lines.push("own " + line) };
    console.log("x");
    return lines;`;
  expect(await valueOf(code)).toEqual(["mine", "own x"]);
});
