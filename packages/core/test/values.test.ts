import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CodeModeResult, ToolDescriptor } from "@codemode/protocol";
import { FAILURE_CODES, FAILURE_PHASES } from "@codemode/protocol";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { tool } from "./fakes/test-host.js";

const SEED = 20_261;

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
  await real.host.prewarm({ typescript: true });
}, 60_000);
afterAll(() => real.host.close());

async function exec(code: string, tools: readonly ToolDescriptor[] = []): Promise<CodeModeResult> {
  await using run = real.openRun({ tools }, { maxOutputBytes: 8 * 1024 * 1024, timeoutMs: 60_000 });
  return await run.exec({ code });
}

async function valueOf(code: string, tools: readonly ToolDescriptor[] = []): Promise<unknown> {
  const result = await exec(code, tools);
  return result.status === "completed" ? result.value : result;
}

const keys = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("__proto__", "constructor", "toJSON", "then", "length", "0", "-1", "", "\ud800", "\u0000", "é😀"),
);
const leaves = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("\ud83d", "\ude00", "a\ud800b", "\u0000\u2028\u2029", '"\\', "</script>"),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2, 0.1 + 0.2),
  fc.boolean(),
  fc.constant(null),
);
/** Any JSON value, with keys and texts that are easily lost on the way. */
const jsonValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaves,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(keys, tie("value")), { maxLength: 5 }).map((entries) =>
      // `fromEntries` defines own properties, `__proto__` too.
      Object.fromEntries(entries),
    ),
  ),
})).value;

/** What JSON over UTF-8 makes of a value: minus zero is zero, a lone surrogate is U+FFFD. */
function overTheWire(value: unknown): unknown {
  if (typeof value === "string") return (value as string & { toWellFormed(): string }).toWellFormed();
  if (typeof value === "number") return value === 0 ? 0 : value;
  if (Array.isArray(value)) return value.map(overTheWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [overTheWire(key), overTheWire(member)]));
}

test("GUEST-06: any JSON value survives tool input, guest, tool output and result unchanged", async () => {
  const values = fc.sample(jsonValue, { numRuns: 400, seed: SEED });
  const seen: unknown[] = [];
  const give = tool("give", ({ index }: { index: number }) => ({ value: values[index] }));
  const take = tool("take", (input) => {
    seen.push((input as { value: unknown }).value);
    return input;
  });
  const code = `
    const results = [];
    for (let index = 0; index < ${values.length}; index++) {
      const given = await give({ index });
      const taken = await take({ value: given.value });
      results.push([given.value, taken.value]);
    }
    return results;`;
  const expected = values.map(overTheWire);
  expect(await valueOf(code, [give, take])).toEqual(expected.map((value) => [value, value]));
  expect(seen).toEqual(expected);
}, 60_000);

test("GUEST-06: a value written in the source comes out as JSON would write it", async () => {
  const values = fc.sample(jsonValue, { numRuns: 200, seed: SEED + 1 });
  const texts = values.map((value) => JSON.stringify(JSON.stringify(value)));
  const code = `return [${texts.map((text) => `JSON.parse(${text})`).join(",\n")}];`;
  // JSON.stringify writes a lone surrogate as an escape, so that the guest's text has it again.
  expect(await valueOf(code)).toEqual(values.map(overTheWire));
});

describe("GUEST-06: the plain form of each value, the same in results, json, text and tool input", () => {
  test.each<[string, string, unknown]>([
    ["undefined", "undefined", null],
    ["undefined in an object and an array", "({ a: undefined, b: [undefined] })", { b: [null] }],
    ["NaN and infinities", "[NaN, Infinity, -Infinity]", [null, null, null]],
    ["minus zero", "[-0]", [0]],
    ["a Date and an invalid one", "[new Date(0), new Date(NaN)]", ["1970-01-01T00:00:00.000Z", null]],
    ["a Map with text keys", "new Map([['a', 1], ['__proto__', 2]])", JSON.parse('{"a":1,"__proto__":2}')],
    [
      "a Map with other keys",
      "new Map([[1, 'a'], ['b', 2]])",
      [
        [1, "a"],
        ["b", 2],
      ],
    ],
    ["a Set", "new Set([1, 'a'])", [1, "a"]],
    ["typed arrays", "[new Uint8Array([1, 2]), new Float64Array([0.5])]", [[1, 2], [0.5]]],
    [
      "an Error with fields and a cause",
      "Object.assign(new RangeError('no', { cause: new Error('root') }), { code: 7 })",
      { name: "RangeError", message: "no", code: 7, cause: { name: "Error", message: "root" } },
    ],
    [
      "an Error of many",
      "new AggregateError([new Error('a')], 'm')",
      { name: "AggregateError", message: "m", errors: [{ name: "Error", message: "a" }] },
    ],
    ["boxed values", "[new String('s'), new Number(5), new Boolean(false)]", ["s", 5, false]],
    ["own fields of an instance", "new (class { #s = 1; x = 2; get y() { return 3; } })()", { x: 2 }],
    ["a throwing getter", "({ get a() { throw new RangeError('g'); } })", { a: "[Throws: RangeError: g]" }],
    ["a lone surrogate and NUL", "['a\\ud800b', 'a\\u0000b']", ["a\ufffdb", "a\u0000b"]],
    ["an own __proto__", 'JSON.parse(\'{"__proto__": {"a": 1}}\')', JSON.parse('{"__proto__":{"a":1}}')],
    ["no toJSON", "({ a: 1, toJSON: undefined, b: { toJSON() { return 'no'; } }.c })", { a: 1 }],
    ["a proxy", "new Proxy({ a: 1 }, {})", { a: 1 }],
    [
      "a revoked proxy",
      "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }; })()",
      { proxy: "[Throws: TypeError: revoked proxy]" },
    ],
    [
      "a sparse array of four billion",
      "(() => { const a = []; a.length = 4294967295; a[7] = 1; return a; })()",
      { "7": 1, length: 4294967295 },
    ],
  ])("%s", async (name, source, plain) => {
    const isThrowing = name.includes("getter") || name.includes("revoked");
    expect(await exec(`json(${source}); text([${source}]); return ${source};`)).toMatchObject({
      status: "completed",
      value: plain,
      output: [
        { type: "json", value: plain },
        { type: "text", text: JSON.stringify([plain]) },
      ],
    });
    // Tool input takes one object and refuses what cannot be read.
    if (isThrowing) return;
    const echo = tool("echo", (input) => input);
    expect(await valueOf(`return (await echo({ value: [${source}] })).value[0];`, [echo])).toEqual(plain);
  });

  test.each<[string, string, unknown, string]>([
    ["BigInt", "12345678901234567890n", "12345678901234567890", "is a BigInt, which JSON cannot carry"],
    ["a function", "function run() {}", "[Function: run]", "is a function, which JSON cannot carry"],
    ["a symbol", "Symbol('tag')", "[Symbol: tag]", "is a symbol, which JSON cannot carry"],
    ["a regular expression", "/x/gi", "[RegExp: /x/gi]", "is a regular expression, which JSON cannot carry"],
    ["an ArrayBuffer", "new ArrayBuffer(4)", "[ArrayBuffer: 4 bytes]", "is an ArrayBuffer, which JSON cannot carry"],
    [
      "an iterator",
      "[1].values()",
      "[Iterator: spread it to get its items]",
      "is an iterator: spread it into an array first",
    ],
    [
      "a generator",
      "(function* () {})()",
      "[Iterator: spread it to get its items]",
      "is an iterator: spread it into an array first",
    ],
    ["a WeakMap", "new WeakMap()", "[WeakMap]", "is a WeakMap, which JSON cannot carry"],
  ])("%s becomes text, and tool input refuses it", async (_, source, plain, problem) => {
    const echo = tool("echo", (input) => input);
    const code = `
      const value = { deep: [${source}] };
      try { await echo(value); } catch (error) { text(error.message); }
      return value;`;
    expect(await exec(code, [echo])).toMatchObject({
      value: { deep: [plain] },
      output: [{ type: "text", text: `input.deep[0] ${problem}` }],
      telemetry: { callCount: 0 },
    });
  });

  test("a cycle is named, and tool input refuses it", async () => {
    const code = `
      const value = { name: "x" }; value.self = value;
      try { await echo(value); } catch (error) { text(error.name + ": " + error.message); }
      return value;`;
    expect(await exec(code, [tool("echo", (input) => input)])).toMatchObject({
      value: { name: "x", self: "[Circular]" },
      output: [{ text: "TypeError: input.self refers back to an object around it, which JSON cannot carry" }],
    });
  });

  test("promises in a value count as awaited, wherever they are; in text and json they are notes", async () => {
    const later = tool("later", ({ n }: { n: number }) => ({ n }));
    const code = `
      const p = later({ n: 0 });
      text([p]);
      return {
        p, list: [later({ n: 1 })], map: new Map([["a", later({ n: 2 })]]), set: new Set([later({ n: 3 })]),
        frozen: Object.freeze({ p: later({ n: 4 }) }), nested: Promise.resolve({ deep: Promise.resolve([p]) }),
        none: Promise.resolve(undefined), timer: new Promise((resolve) => setTimeout(() => resolve("late"), 1_200)),
      };`;
    expect(await exec(code, [later])).toMatchObject({
      value: {
        p: { n: 0 },
        list: [{ n: 1 }],
        map: { a: { n: 2 } },
        set: [{ n: 3 }],
        frozen: { p: { n: 4 } },
        nested: { deep: [{ n: 0 }] },
        timer: "late",
      },
      output: [{ type: "text", text: '["[Promise: await it to get its value]"]' }],
    });
  });

  test("a promise in a value that never settles fails at once", async () => {
    expect(await exec("return { p: new Promise(() => {}) };")).toMatchObject({
      error: "Error: code mode promise is pending without host work",
    });
  });
});

test.each([
  ["javascript", 250],
  ["typescript", 60],
] as const)(
  "any text as a %s cell ends with a defined result, and the host goes on",
  async (language, numRuns) => {
    const sources = fc.sample(sourceText, { numRuns, seed: SEED + 2 });
    await using run = real.openRun({}, { timeoutMs: 2_000 });
    for (const code of sources) expectDefined(await run.exec({ code, language }), code);
    expect(await run.exec({ code: "return 42" })).toMatchObject({ status: "completed", value: 42 });
  },
  90_000,
);

const WORDS = (
  "const let a b = ( ) { } [ ] => ; , : . ?. + - * / ! < > ` ${ ' \" // /* */ return await async function throw new " +
  "Error text json echo catalog MCP API import export require default class extends super this yield_control null " +
  "undefined 1 0 -0 1n /re/g for of in if else try catch finally while do break enum type interface as \\u0061 é 😀 \ud800 \u2028"
).split(" ");
const sourceText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 20 }).map((words) => words.join(" ")),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 20 }).map((words) => words.join("\n")),
);

function expectDefined(result: CodeModeResult, code: string): void {
  if (result.status !== "failed") return;
  const isDefined =
    FAILURE_PHASES.includes(result.failurePhase) && (result.code === undefined || FAILURE_CODES.includes(result.code));
  expect([code, isDefined, result.error !== "", result.code !== "internal_error"]).toEqual([code, true, true, true]);
}
