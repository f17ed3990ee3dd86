import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toJsonText, writeJsonText } from "./json-text.js";

fc.configureGlobal({ seed: 1 });

class Point {
  x = 1;
  #secret = 2;
  get sum(): number {
    return this.x + this.#secret;
  }
}

function withHole(): unknown[] {
  const list: unknown[] = [undefined];
  list[2] = 1;
  return list;
}

/** Throws what is no error, as hostile code does. */
function raise(value: unknown): never {
  throw value as Error;
}

function nested(levels: number): unknown {
  let value: unknown = "end";
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("EXEC-06: plain forms", () => {
  const cases: readonly (readonly [name: string, value: unknown, text: string])[] = [
    ["undefined at the top", undefined, "null"],
    ["undefined in an object is dropped", { a: undefined, b: 1 }, '{"b":1}'],
    ["undefined and holes in an array", withHole(), "[null,null,1]"],
    ["numbers JSON cannot carry", [NaN, Infinity, -Infinity, -0, 1e21, 0.1], "[null,null,null,0,1e+21,0.1]"],
    ["BigInt", { big: 12345678901234567890n }, '{"big":"12345678901234567890"}'],
    ["Date", [new Date(0), new Date(NaN)], '["1970-01-01T00:00:00.000Z",null]'],
    ["Map with text keys", new Map([["a", new Map([["b", 1]])]]), '{"a":{"b":1}}'],
    [
      "Map with other keys",
      new Map<unknown, unknown>([
        ["a", 1],
        [2, { c: 3 }],
      ]),
      '[["a",1],[2,{"c":3}]]',
    ],
    ["empty Map", new Map(), "{}"],
    ["Set", new Set([1, "a", new Set([2])]), '[1,"a",[2]]'],
    ["typed arrays", [new Uint8Array([1, 255]), new Float32Array([0.5, NaN])], "[[1,255],[0.5,null]]"],
    ["BigInt typed array", new BigInt64Array([-1n]), '["-1"]'],
    ["Buffer", Buffer.from("ab"), "[97,98]"],
    ["RegExp", /a"b/giu, '"[RegExp: /a\\"b/giu]"'],
    [
      "functions",
      [function named() {}, () => 1, Point],
      '["[Function: named]","[Function: (anonymous)]","[Function: Point]"]',
    ],
    ["symbols", [Symbol("tag"), Symbol()], '["[Symbol: tag]","[Symbol: ]"]'],
    ["class instance", new Point(), '{"x":1}'],
    ["boxed primitives", [Object(1), Object("a"), Object(true), Object(5n)], '[1,"a",true,"5"]'],
    ["promise", { later: Promise.resolve(1) }, '{"later":"[Promise: await it to get its value]"}'],
    ["URL", new URL("https://example.com/a?b=1"), '"https://example.com/a?b=1"'],
    [
      "buffers and weak things",
      [new ArrayBuffer(3), new WeakMap(), new WeakSet()],
      '["[ArrayBuffer: 3 bytes]","[WeakMap]","[WeakSet]"]',
    ],
    ["own key __proto__", JSON.parse('{"__proto__":{"a":1},"b":2}'), '{"__proto__":{"a":1},"b":2}'],
    ["Map key __proto__", new Map([["__proto__", 1]]), '{"__proto__":1}'],
    ["no toJSON runs", { toJSON: () => "forged", a: 1 }, '{"toJSON":"[Function: toJSON]","a":1}'],
    ["lone surrogates", { "\ud800": "a\udc00b" }, '{"\ufffd":"a\ufffdb"}'],
    ["escapes", ['\u0000\n"\\\u007f\u2028', "é😀"], '["\\u0000\\n\\"\\\\\u007f\u2028","é😀"]'],
    [
      "symbol keys and inherited fields",
      Object.assign(Object.create({ no: 1 }) as object, { [Symbol("s")]: 1, yes: 2 }),
      '{"yes":2}',
    ],
    [
      "an object that only inherits from Map",
      Object.assign(Object.create(Map.prototype) as object, { a: 1 }),
      '{"a":1}',
    ],
    ["array without a prototype", Object.setPrototypeOf([1, 2], null), "[1,2]"],
  ];
  test.each(cases)("%s", (_name, value, text) => {
    expect(toJsonText(value)).toBe(text);
  });

  test("errors keep name, message, own fields and cause, never the stack", () => {
    const cause = new TypeError("inner");
    const error = Object.assign(new RangeError("outer", { cause }), { code: "E_RANGE", stack: "forged" });
    expect(JSON.parse(toJsonText(error))).toEqual({
      name: "RangeError",
      message: "outer",
      code: "E_RANGE",
      cause: { name: "TypeError", message: "inner" },
    });
    expect(toJsonText(new AggregateError([new Error("a")], "all"))).toBe(
      '{"name":"AggregateError","message":"all","errors":[{"name":"Error","message":"a"}]}',
    );
  });

  test("a cycle is named; a value shared without one is written twice", () => {
    const shared = { a: 1 };
    const cyclic: Record<string, unknown> = { first: shared, second: [shared] };
    cyclic["self"] = cyclic;
    expect(toJsonText(cyclic)).toBe('{"first":{"a":1},"second":[{"a":1}],"self":"[Circular]"}');
    const map = new Map<string, unknown>();
    map.set("self", { map });
    expect(toJsonText(map)).toBe('{"self":{"map":"[Circular]"}}');
  });
});

describe("EXEC-06: hostile values", () => {
  test("a getter is read once; one that throws is described", () => {
    let reads = 0;
    const value = {
      get counted() {
        return ++reads;
      },
      get bad(): never {
        throw new Error("no");
      },
      get worse(): never {
        return raise({
          get name(): never {
            return raise(1);
          },
        });
      },
      get odd(): never {
        return raise(Symbol("s"));
      },
      get none(): never {
        return raise(null);
      },
    };
    expect(toJsonText(value)).toBe(
      '{"counted":1,"bad":"[Throws: Error: no]","worse":"[Throws: an object that cannot be read]",' +
        '"odd":"[Throws: [Symbol: s]]","none":"[Throws: null]"}',
    );
    expect(reads).toBe(1);
  });

  test("proxies give a plain form and never crash the walk", () => {
    const revoked = Proxy.revocable({}, {});
    const revokedFunction = Proxy.revocable(() => 1, {});
    revoked.revoke();
    revokedFunction.revoke();
    const throwing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("trap");
        },
      },
    );
    const longArray = new Proxy([], { get: (_target, key) => (key === "length" ? "many" : 1) });
    const endlessPrototypes: object = new Proxy({}, { getPrototypeOf: () => endlessPrototypes });
    expect(toJsonText(new Proxy({ a: [1] }, {}))).toBe('{"a":[1]}');
    expect(toJsonText(revoked.proxy)).toMatch(/^"\[Throws: TypeError: .*\]"$/);
    expect(toJsonText(revokedFunction.proxy)).toBe('"[Function: (anonymous)]"');
    expect(toJsonText(throwing)).toBe('"[Throws: Error: trap]"');
    expect(toJsonText(longArray)).toBe('"[Array: no valid length]"');
    expect(toJsonText(endlessPrototypes)).toBe("{}");
    expect(toJsonText(new Proxy(new Map([["a", 1]]), {}))).toBe("{}");
  });

  test("a huge sparse array is written by its own items, a long dense one as it is", () => {
    const sparse: unknown[] = [];
    sparse[5] = "five";
    sparse.length = 4_294_967_295;
    expect(toJsonText({ sparse })).toBe('{"sparse":{"5":"five","length":4294967295}}');
    const dense = new Array<number>(1_000_001).fill(7);
    expect(toJsonText(dense)).toBe(JSON.stringify(dense));
  });

  test("nesting is bounded, at 500 levels by default, without recursion", () => {
    expect(toJsonText(nested(500))).toBe(`${"[".repeat(500)}"end"${"]".repeat(500)}`);
    expect(toJsonText(nested(100_000))).toBe(`${"[".repeat(500)}"[Truncated: depth]"${"]".repeat(500)}`);
    expect(toJsonText({ a: { b: 1 }, c: 2 }, { maxDepth: 1 })).toBe('{"a":"[Truncated: depth]","c":2}');
  });

  test("long names in notes are cut", () => {
    expect(toJsonText(Symbol("d".repeat(1000)))).toBe(`"[Symbol: ${"d".repeat(200)}]"`);
  });
});

describe("EXEC-06: agreement with JSON.stringify", () => {
  test("JSON data gives the same text", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => toJsonText(value) === JSON.stringify(value)));
  });

  test("any well-formed text and key gives the same text", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })), (value) => {
        return toJsonText(value) === JSON.stringify(value);
      }),
    );
  });

  test("whatever fast-check can build is written as JSON", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withSparseArray: true,
          withBoxedValues: true,
          withNullPrototype: true,
        }),
        (value) => {
          const text = toJsonText(value);
          expect(JSON.stringify(JSON.parse(text))).toHaveLength(text.length);
        },
      ),
    );
  });

  test("large values arrive in pieces that join to the same text", () => {
    const value = Array.from({ length: 3000 }, (_item, index) => ({
      index,
      text: `é${index}`,
      list: [index, [index]],
    }));
    const pieces: string[] = [];
    writeJsonText(value, {}, (piece, isAscii) => {
      expect(isAscii && /[^\0-\x7f]/.test(piece)).toBe(false);
      pieces.push(piece);
    });
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toBe(JSON.stringify(value));
  });
});

describe("EXEC-06: recognised objects", () => {
  test("plainFormOf is asked first, about functions too, and not about what it returned", () => {
    const handle = Object.assign(() => 1, { field: 1 });
    const wrapped = { inner: 1 };
    const text = toJsonText(
      { handle, wrapped, none: wrapped },
      {
        plainFormOf: (value) =>
          value === handle ? { plain: { callableName: "search" } } : value === wrapped ? { plain: value } : undefined,
      },
    );
    expect(text).toBe('{"handle":{"callableName":"search"},"wrapped":{"inner":1},"none":{"inner":1}}');
    expect(
      toJsonText({ gone: wrapped }, { plainFormOf: (value) => (value === wrapped ? { plain: undefined } : undefined) }),
    ).toBe("{}");
  });
});

describe("EXEC-04: tool input", () => {
  const input = (value: unknown): string => toJsonText(value, { mode: "input" });

  test("missing input is an empty object, plain data is taken as it is", () => {
    expect(input(undefined)).toBe("{}");
    expect(input({ a: [1, undefined, { b: NaN }], at: new Date(0), gone: undefined, map: new Map([["k", 1]]) })).toBe(
      '{"a":[1,null,{"b":null}],"at":"1970-01-01T00:00:00.000Z","map":{"k":1}}',
    );
  });

  const refused: readonly (readonly [name: string, value: unknown, message: string])[] = [
    ["null", null, "pass one object, not null"],
    ["a string", "text", "pass one object, not a string"],
    ["an array", [1], "pass one object, not an array"],
    ["a function", () => 1, "pass one object, not a function"],
    ["a Date", new Date(0), "pass one object"],
    ["a Set", new Set(), "pass one object"],
    ["a promise", Promise.resolve({}), "input is a promise: await it first"],
    ["a function inside", { a: { then: [() => 1] } }, "input.a.then[0] is a function, which JSON cannot carry"],
    ["a symbol inside", { "a b": Symbol("x") }, 'input["a b"] is a symbol, which JSON cannot carry'],
    ["a BigInt inside", { n: 1n }, "input.n is a BigInt, which JSON cannot carry"],
    ["a promise inside", { user: Promise.resolve(1) }, "input.user is a promise: await it first"],
    ["a regular expression inside", { pattern: /a/ }, "input.pattern is a regular expression, which JSON cannot carry"],
    [
      "a throwing getter inside",
      {
        get a(): never {
          throw new Error("no");
        },
      },
      "input.a cannot be read: Error: no",
    ],
    ["too deep", { deep: nested(500) }, `input…${"[0]".repeat(67).slice(-200)} is nested deeper than 500 levels`],
  ];
  test.each(refused)("%s is refused with its path", (_name, value, message) => {
    expect(() => input(value)).toThrow(new TypeError(message));
  });

  test("a cycle is refused with its path", () => {
    const cyclic: Record<string, unknown> = { list: [] };
    (cyclic["list"] as unknown[]).push(1, cyclic);
    expect(() => input(cyclic)).toThrow(
      new TypeError("input.list[1] refers back to an object around it, which JSON cannot carry"),
    );
  });
});
