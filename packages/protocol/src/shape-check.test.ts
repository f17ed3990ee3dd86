import fc from "fast-check";
import type { TSchema } from "typebox";
import { Check } from "typebox/schema";
import { expect, test, vi } from "vitest";
import { Type } from "./schema-builder.js";
import { createShapeCheck } from "./shape-check.js";
import { CompileOutcomeSchema, WorkerReportSchema } from "./worker-messages.js";

const Item = Type.Union([
  Type.Object({
    type: Type.Literal("a"),
    size: Type.Integer({ minimum: 1, maximum: 9 }),
    note: Type.Optional(Type.String()),
  }),
  Type.Object({ type: Type.Literal("b"), weight: Type.Number({ minimum: 0 }), any: Type.Unknown() }),
  Type.Array(Type.Enum(["x", "y"])),
  Type.Boolean(),
]);

test.each([
  [{ type: "a", size: 1 }, true],
  [{ type: "a", size: 1, note: "n", more: 1 }, true],
  [{ type: "a", size: 1, note: undefined }, true],
  [{ type: "b", weight: 0.5, any: undefined }, true],
  [["x", "y"], true],
  [[], true],
  [false, true],
  [{ type: "a", size: 0 }, false],
  [{ type: "a", size: 10 }, false],
  [{ type: "a", size: 1.5 }, false],
  [{ type: "a", size: 1, note: 1 }, false],
  [{ type: "b", weight: 0.5 }, false],
  [{ type: "b", weight: Infinity, any: 1 }, false],
  [{ type: "c" }, false],
  [["x", "z"], false],
  [undefined, false],
  [[null], false],
  ["a", false],
])("%j fits: %s", (value, expected) => {
  const verdicts = [...checksOf(Item).map((isFine) => isFine(value)), Check(Item, value)];
  expect(verdicts).toEqual([expected, expected, expected]);
});

// A structured clone keeps holes. Typebox skips them.
test("a hole in an array is an item that is undefined", () => {
  expect(checksOf(Type.Array(Type.Integer())).map((isFine) => isFine(Array(1)))).toEqual([false, false]);
});

test("messages of workers are judged as typebox judges them, whole and damaged", () => {
  for (const schema of [WorkerReportSchema, CompileOutcomeSchema]) {
    const checks = checksOf(schema);
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(fitting(schema), damage, (value, { at, replacement }) => {
        const damaged = damageOne(value, at, replacement);
        for (const each of [value, damaged]) {
          const verdict = Check(schema, each);
          verdicts.add(verdict);
          expect(checks.map((isFine) => isFine(each))).toEqual([verdict, verdict]);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
    expect(verdicts.size).toBe(2);
  }
});

test("a schema with a keyword that is not checked is refused", () => {
  const schema = Type.Object({ name: Type.String({ maxLength: 3 }) });
  expect(() => createShapeCheck(schema)).toThrow("A shape check does not know the keyword maxLength.");
});

/** The compiled check, and the one of a process that forbids code from strings. */
function checksOf(schema: TSchema): ((value: unknown) => boolean)[] {
  const compiled = createShapeCheck(schema);
  vi.stubGlobal("Function", function refuse() {
    throw new EvalError("Code generation from strings disallowed for this context");
  });
  const interpreted = createShapeCheck(schema);
  vi.unstubAllGlobals();
  return [compiled, interpreted];
}

const damage = fc.record({
  at: fc.nat(),
  replacement: fc.constantFrom<unknown>(undefined, null, -1, 0.5, Number.NaN, "", "boundary", true, [], {}, [1]),
});

/** Values that fit a schema made of the keywords above. */
function fitting(schema: object): fc.Arbitrary<unknown> {
  const { anyOf, items, properties, required, type, minimum, maximum, ...rest } = schema as {
    anyOf?: object[];
    items?: object;
    properties?: Record<string, object>;
    required?: string[];
    type?: string;
    minimum?: number;
    maximum?: number;
    const?: unknown;
    enum?: unknown[];
  };
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(fitting));
  if ("const" in rest) return fc.constant(rest.const);
  if (rest.enum !== undefined) return fc.constantFrom(...rest.enum);
  if (items !== undefined) return fc.array(fitting(items), { maxLength: 2 });
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([key, field]) => [key, fitting(field)]);
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: required ?? [],
    });
  }
  if (type === "integer") return fc.integer({ min: minimum ?? 0, max: maximum ?? 2 ** 31 });
  if (type === "number") return fc.double({ min: minimum ?? 0, max: 1e9, noNaN: true });
  if (type === "boolean") return fc.boolean();
  return type === "string" ? fc.string({ maxLength: 3 }) : fc.constant(new Uint8Array(2));
}

/** The value with one of its places, in order of a walk, replaced. */
function damageOne(value: unknown, at: number, replacement: unknown): unknown {
  const places: [object, string][] = [];
  const copy = structuredClone(value);
  const walk = (part: unknown) => {
    if (typeof part !== "object" || part === null || part instanceof Uint8Array) return;
    for (const key of Object.keys(part)) {
      places.push([part, key]);
      walk((part as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return replacement;
  Object.assign(place[0], { [place[1]]: replacement });
  return copy;
}
