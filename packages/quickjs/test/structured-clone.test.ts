import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLibraryCells, onHost } from "./library-cells.js";

const { valueOf } = createLibraryCells();

const MAKE = `
  const shared = { n: 1 };
  const cyclic = { shared, again: shared };
  cyclic.self = cyclic;
  const sparse = [1, , 3];
  sparse.extra = "kept";
  class Point { x = 1; #hidden = 2; get sum() { return 3; } }
  const made = {
    cyclic, sparse, point: new Point(), bare: Object.assign(Object.create(null), { a: 1 }),
    map: new Map([[shared, new Set([cyclic, 1])]]), date: new Date(5), invalid: new Date(NaN), pattern: /a(b)/giu,
    boxed: [Object("s"), Object(1), Object(true), Object(5n)], numbers: [-0, NaN, Infinity], big: 12n, none: undefined,
    error: Object.assign(new RangeError("bad", { cause: shared }), { code: "lost" }),
    named: Object.assign(new Error("m"), { name: "TypeError" }), odd: Object.assign(new Error("o"), { name: "Odd" }),
    bytes: new Uint8Array([1, 2, 3]).subarray(1), wide: new Float64Array([0.5]), view: new DataView(new ArrayBuffer(8), 2, 3),
    buffer: new ArrayBuffer(4), getter: { get value() { return 7; } }, ["__proto__"]: { polluted: true },
  };`;

/** Everything that tells a clone from a good one. */
const CHECKS = `
  const copy = structuredClone(made);
  const [[key, set]] = copy.map;
  return [
    copy.cyclic.self === copy.cyclic, copy.cyclic.shared === copy.cyclic.again, key === copy.cyclic.shared,
    set.has(copy.cyclic), copy.cyclic !== made.cyclic, 1 in copy.sparse, copy.sparse.length, copy.sparse.extra,
    copy.point.constructor === Object, Object.keys(copy.point), Object.getPrototypeOf(copy.bare) === Object.prototype,
    copy.date instanceof Date, copy.date.getTime(), Number.isNaN(copy.invalid.getTime()), String(copy.pattern),
    copy.pattern.lastIndex, copy.boxed.map((box) => typeof box + typeof box.valueOf() + String(box)),
    Object.is(copy.numbers[0], -0), Number.isNaN(copy.numbers[1]), copy.big === 12n, "none" in copy,
    copy.error instanceof RangeError, copy.error.message, copy.error.code ?? null, copy.error.cause === copy.cyclic.shared,
    copy.error.stack === made.error.stack, copy.named instanceof TypeError, copy.odd.name, [...copy.bytes],
    copy.bytes.byteOffset, copy.bytes.buffer.byteLength, copy.wide[0], copy.view.byteOffset, copy.view.byteLength,
    copy.buffer.byteLength, copy.getter.value, Object.hasOwn(copy, "__proto__"), ({}).polluted ?? null,
    copy.bytes.constructor.name, copy.buffer !== made.buffer,
  ];`;

test("GUEST-03: structuredClone copies what the host's copies, in the same way", async () => {
  expect(await valueOf(MAKE + CHECKS)).toEqual(onHost(MAKE + CHECKS));
});

test("GUEST-03: any JSON value is cloned to an equal one", async () => {
  const values = fc.sample(fc.jsonValue({ maxDepth: 5 }), { seed: 9, numRuns: 400 });
  const code = `
    const input = JSON.parse(${JSON.stringify(JSON.stringify(values))});
    return input.map((value) => { const copy = structuredClone(value); return [copy, copy === value && typeof value === "object" && value !== null]; });`;
  deepStrictEqual(await valueOf(code), JSON.parse(JSON.stringify(values.map((value) => [value, false]))));
});

test("GUEST-03: a transferred buffer moves, also under a view", async () => {
  const code = `
    const bytes = new Uint8Array([1, 2, 3]);
    const copy = structuredClone({ bytes }, { transfer: [bytes.buffer] });
    return [[...copy.bytes], bytes.length, bytes.buffer.byteLength];`;
  expect(await valueOf(code)).toEqual([[1, 2, 3], 0, 0]);
});

test("GUEST-03: depth is no limit", async () => {
  const code = `
    let deep = 0;
    for (let level = 0; level < 100_000; level++) deep = { deep };
    let copy = structuredClone(deep), levels = 0;
    while (typeof copy === "object") { copy = copy.deep; levels++; }
    return levels;`;
  expect(await valueOf(code)).toBe(100_000);
});

test.each([
  ["() => 1", "A function could not be cloned."],
  ["[Symbol('s')]", "A symbol could not be cloned."],
  ["{ deep: new Map([[1, new WeakMap()]]) }", "A weak collection or reference could not be cloned."],
  ["Promise.resolve(1)", "A promise could not be cloned."],
  ["new SharedArrayBuffer(1)", "A SharedArrayBuffer could not be cloned."],
  ["new URL('http://a')", "An object of the platform could not be cloned."],
  ["{ tool: catalog.all()[0] }", "A function could not be cloned."],
])("GUEST-03: %s is refused with a DataCloneError", async (value, message) => {
  const code = `const value = ${value.startsWith("{") ? `(${value})` : value};
    try { structuredClone(value); } catch (error) { return [error.name, error.message, error instanceof DOMException]; }`;
  expect(await valueOf(code)).toEqual(["DataCloneError", message, true]);
});

test("GUEST-03: what cannot be transferred is refused before anything moves", async () => {
  const code = `
    const buffer = new ArrayBuffer(4), seen = [];
    for (const [value, transfer] of [[{ f() {} }, [buffer]], [1, [buffer, {}]], [1, 5]]) {
      try { structuredClone(value, { transfer }); } catch (error) { seen.push(error.name); }
    }
    return [seen, buffer.byteLength];`;
  expect(await valueOf(code)).toEqual([["DataCloneError", "TypeError", "TypeError"], 4]);
});
