import { expect, test } from "vitest";
import { toJsonText } from "./json-text.js";

const inert = (value: unknown): unknown => JSON.parse(toJsonText(value, { mode: "inert" }));

/** Fails the test when it runs. */
function never(): never {
  throw new Error("code of the value ran");
}

class Row {
  id = 1;
  get shown(): number {
    return never();
  }
  static get label(): number {
    return never();
  }
  toJSON(): unknown {
    return never();
  }
}

test("GUEST-02: no getter and no toJSON runs where forms are inert", () => {
  const list = [1, 2, 3];
  Object.defineProperty(list, 1, { get: never, enumerable: true });
  const error = new RangeError("bad", { cause: new Row() });
  Object.defineProperty(error, "code", { get: never, enumerable: true });
  class Odd extends Error {
    override get name(): string {
      return never();
    }
  }
  class Named {
    field = 1;
    static get name(): string {
      return never();
    }
  }
  const value = {
    get now(): number {
      return never();
    },
    row: new Row(),
    list,
    error,
    odd: new Odd("m"),
    named: Named,
    map: new Map([["key", new Row()]]),
    ["__proto__"]: 7,
  };
  expect(inert(value)).toEqual({
    now: "[Getter]",
    row: { id: 1 },
    list: [1, "[Getter]", 3],
    error: { name: "RangeError", message: "bad", code: "[Getter]", cause: { id: 1 } },
    odd: { name: "[Getter]", message: "m" },
    named: "[Function: (anonymous)]",
    map: { key: { id: 1 } },
    ["__proto__"]: 7,
  });
});

test("inert forms of values without code of their own are the plain forms", () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic["self"] = cyclic;
  const values = [
    new Date(0),
    new Set([1, [2]]),
    new Map([[1, 2]]),
    new Uint8Array([1, 2]),
    /a/g,
    Symbol("s"),
    5n,
    [undefined, , { a: undefined, b: NaN }],
    Promise.resolve(1),
    function named() {},
    cyclic,
    Object("boxed"),
    "\ud800",
  ];
  for (const value of values) expect(toJsonText(value, { mode: "inert" })).toBe(toJsonText(value));
});

test("a Proxy that throws is a note, whatever it throws", () => {
  const hostile = new Proxy({}, { ownKeys: () => never() });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(inert([hostile, proxy, 1])).toEqual(["[Throws]", "[Throws]", 1]);
});
