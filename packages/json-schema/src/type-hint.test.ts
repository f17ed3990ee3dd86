import { describe, expect, test } from "vitest";
import { typeHint } from "./type-hint.js";

const INPUT = { maxChars: 300, maxProperties: 16, maxDepth: 4 };
const OUTPUT = { maxChars: 850, maxProperties: 20, maxDepth: 6, hasNotes: false };

function closed(properties: Record<string, unknown>): unknown {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

describe("input hints", () => {
  test("HINT-01: integer and number bounds stay as comments, required properties come first", () => {
    const schema = {
      type: "object",
      properties: {
        offset: { type: "integer", minimum: 1 },
        ratio: { type: "number", exclusiveMinimum: 0, maximum: 1 },
        old: { type: "number", minimum: 5, exclusiveMinimum: true },
        path: { type: "string", maxLength: 10, pattern: "x" },
        big: { type: "integer", maximum: 18446744073709552000 },
      },
      required: ["path"],
    };
    expect(typeHint(schema, INPUT).text).toBe(
      "{ path: string; offset?: number /* integer, >= 1 */; ratio?: number /* > 0, <= 1 */; " +
        "old?: number /* > 5 */; big?: number /* integer, <= 18446744073709552000 */ }",
    );
  });

  test("HINT-01: layers beyond the depth, and layers that do not fit, are cut", () => {
    const deep = { a: closed({ b: closed({ c: closed({ d: closed({ e: { type: "string" } }) }) }) }) };
    expect(typeHint(closed(deep), INPUT).text).toBe("{ a: { b: { c: { d: { ... } } } } }");
    const wide = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`key${n}`, { type: "string" }]));
    expect(typeHint(closed({ first: closed(wide), second: closed(wide) }), INPUT).text).toBe(
      "{ first: { ... }; second: { ... } }",
    );
  });

  test("HINT-01: what is too long is shortened from the end", () => {
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, n) => ["k".repeat(40) + n, { type: "string" }]));
    const { text, isComplete } = typeHint(closed(long), INPUT);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.match(/: string/g)).toHaveLength(5);
    expect(text.endsWith("; ... }")).toBe(true);
    expect(isComplete).toBe(false);
  });

  test("HINT-01: many literals become their kind", () => {
    const many = Array.from({ length: 30 }, (_, n) => `v${n}`);
    expect(typeHint({ properties: { a: { enum: many } } }, INPUT).text).toBe("{ a?: string /* one of 30 values */ }");
  });

  test("lists, tuples, dictionaries, unions and nothing", () => {
    const schema = {
      properties: {
        a: { type: "array", items: { type: ["string", "null"] } },
        b: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 1 },
        c: { type: "object", additionalProperties: { type: "boolean" } },
        d: { oneOf: [{ const: "x" }, closed({ y: { type: "number" } })] },
        e: { type: "array" },
        f: { type: "object", patternProperties: { "^x": { type: "string" } } },
        g: { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } },
      },
    };
    expect(typeHint(schema, INPUT).text).toBe(
      '{ a?: Array<string | null>; b?: [string, number?]; c?: { [key: string]: boolean }; d?: "x" | { y: number }; ' +
        "e?: Array<unknown>; f?: { [key: string]: string }; g?: [string?, ...Array<number>] }",
    );
  });
});

describe("output hints", () => {
  test("HINT-02: a closed shape is complete and has no comments", () => {
    const shipment = closed({
      id: { type: "string" },
      paid: { type: "boolean" },
      tons: { type: "integer", minimum: 0 },
    });
    expect(typeHint({ type: "array", items: shipment }, OUTPUT)).toEqual({
      text: "Array<{ id: string; paid: boolean; tons: number }>",
      isComplete: true,
    });
  });

  test.each<[string, unknown]>([
    ["a scalar", { type: "string" }],
    ["a union of closed shapes", { anyOf: [closed({ a: { type: "string" } }), { type: "null" }] }],
    ["an exact unknown inside", closed({ raw: {} })],
    ["a reference", { $ref: "#/$defs/X", $defs: { X: closed({ a: { const: 1 } }) } }],
    [
      "an intersection closed from outside",
      { allOf: [{ type: "object", properties: { a: { type: "string" } } }], unevaluatedProperties: false },
    ],
  ])("HINT-02: %s is complete", (_, schema) => {
    expect(typeHint(schema, OUTPUT).isComplete).toBe(true);
  });

  test.each<[string, unknown]>([
    ["an open object", { type: "object", properties: { a: { type: "string" } } }],
    ["an open object inside", closed({ a: { type: "object", properties: {} } })],
    ["a dictionary", { type: "object", additionalProperties: { type: "string" } }],
    ["a required key without a schema", { type: "object", required: ["a"], additionalProperties: false }],
    ["nothing known", {}],
    ["a list of anything", { type: "array" }],
    ["a recursive shape", { $ref: "#/$defs/X", $defs: { X: closed({ x: { $ref: "#/$defs/X" } }) } }],
    ["an unresolved reference", closed({ a: { $ref: "#/nope" } })],
    ["a condition", { ...(closed({ a: { type: "string" } }) as object), if: {}, then: {} }],
    ["too many literals", { enum: Array.from({ length: 40 }, (_, n) => n) }],
    ["too many properties", closed(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, {}])))],
    ["seven layers", [1, 2, 3, 4, 5, 6, 7].reduce<unknown>((inner) => closed({ a: inner }), { type: "string" })],
  ])("HINT-02: %s is not", (_, schema) => {
    expect(typeHint(schema, OUTPUT).isComplete).toBe(false);
  });
});
