import { expect, test } from "vitest";
import { renderTypeDeclaration } from "./declaration.js";
import { typeHint } from "./type-hint.js";

const SEARCH = {
  type: "object",
  properties: {
    query: { type: "string", description: "What to look for.\nTwo lines." },
    limit: { type: "integer", minimum: 1, default: 10 },
    filter: {
      type: "object",
      properties: {
        before: { type: "string", format: "date-time", description: "Exclusive" },
        tags: { type: "array", items: { enum: ["a", "b"] } },
      },
      required: ["before"],
      additionalProperties: false,
    },
  },
  required: ["query", "limit"],
};

test("MCP-05: properties over lines with their descriptions, required first", () => {
  expect(renderTypeDeclaration(SEARCH)).toEqual({
    text: `{
  /**
   * What to look for.
   * Two lines.
   */
  query: string;
  /** Default: 10 */
  limit: number /* integer, >= 1 */;
  filter?: {
    /** Exclusive */
    before: string /* date-time */;
    tags?: ("a" | "b")[];
  };
}`,
    problems: [],
    acceptsEmptyObject: false,
    acceptsObjects: true,
    outermost: [
      {
        name: "query",
        isOptional: false,
        value: expect.anything() as unknown,
        description: "What to look for.\nTwo lines.",
      },
      { name: "limit", isOptional: false, value: expect.anything() as unknown, defaultText: "10" },
      { name: "filter", isOptional: true, value: expect.anything() as unknown },
    ],
  });
});

test("MCP-12: where defaults are applied, a property with one may be left out; items of lists keep what they require", () => {
  const item = { type: "object", properties: { n: { type: "number", default: 1 } }, required: ["n"] };
  const schema = {
    type: "object",
    properties: { a: item, list: { type: "array", items: item } },
    required: ["a", "list"],
  };
  expect(renderTypeDeclaration(schema, { defaultsAreOptional: true, describesOutermost: false }).text).toBe(
    `{
  a: {
    /** Default: 1 */
    n?: number;
  };
  list: {
    /** Default: 1 */
    n: number;
  }[];
}`,
  );
});

test("unions and intersections of objects stay grouped, on one line or several", () => {
  const part = (name: string): unknown => ({ properties: { [name]: { type: "string", description: name } } });
  expect(
    renderTypeDeclaration({ type: "array", items: { anyOf: [part("a"), { allOf: [part("b"), part("c")] }] } }).text,
  ).toBe(
    `({
  /** a */
  a?: string;
} | {
  /** b */
  b?: string;
} & {
  /** c */
  c?: string;
})[]`,
  );
});

test("intersections of unions that a checker could not expand are cut", () => {
  const union = { anyOf: Array.from({ length: 40 }, (_, n) => ({ properties: { [`p${n}`]: { type: "string" } } })) };
  expect(renderTypeDeclaration({ allOf: [union, union, union] })).toMatchObject({
    text: "unknown /* cut */",
    problems: ["The schema is too large; parts of its type were cut."],
  });
});

test("a type that does not fit is printed with fewer layers", () => {
  const wide = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`c${n}`, { type: "string" }]));
  const schema = { properties: { a: { properties: { b: { properties: { c: { properties: wide } } } } } } };
  expect(renderTypeDeclaration(schema, { maxChars: 60 }).text).toBe("{ a?: { b?: { c?: unknown /* cut */ } } }");
  expect(renderTypeDeclaration(schema, { maxChars: 5 }).text).toBe("unknown");
});

test.each<[unknown, boolean, boolean]>([
  [{ type: "object" }, true, true],
  [{ type: "string" }, false, false],
  [{ anyOf: [{ type: "string" }, { properties: { a: {} }, required: ["a"] }] }, false, true],
  [{ allOf: [{ properties: { a: {} } }, { properties: { b: {} }, required: ["b"] }] }, false, true],
  [false, false, false],
  [true, true, true],
])("%j: takes {} %s, takes objects %s", (schema, empty, objects) => {
  expect(renderTypeDeclaration(schema)).toMatchObject({ acceptsEmptyObject: empty, acceptsObjects: objects });
});

test("characters without a picture are escaped in keys and literals", () => {
  const marks = "a\u202Eb\u2066c\u200Bd\uFEFFe\u061Cf\u0085g";
  const schema = { type: "object", properties: { [marks]: { enum: [marks] } }, additionalProperties: false };
  const escaped = String.raw`"a\u202eb\u2066c\u200bd\ufeffe\u061cf\u0085g"`;
  expect(renderTypeDeclaration(schema).text).toBe(`{\n  ${escaped}?: ${escaped};\n}`);
  expect(typeHint(schema, { maxChars: 300, maxProperties: 4, maxDepth: 2 }).text).toBe(`{ ${escaped}?: ${escaped} }`);
});

test("renderings that share a budget stop where it ends", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { enum: ["x", "y"] } } };
  const budget = { left: 25 };
  const texts = [1, 2, 3].map(() => renderTypeDeclaration(schema, { budget }));
  expect(texts.map(({ text, problems }) => [text, problems])).toEqual([
    ['{ a?: string; b?: "x" | "y" }', []],
    ["unknown", ["The schema is too large; parts of its type were cut."]],
    ["unknown", ["The schema is too large; parts of its type were cut."]],
  ]);
  expect(budget.left).toBeLessThanOrEqual(0);
});
