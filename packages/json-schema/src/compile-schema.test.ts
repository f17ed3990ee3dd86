import fc from "fast-check";
import { Check } from "typebox/schema";
import { describe, expect, test } from "vitest";
import { compileSchema } from "./compile-schema.js";

function problems(schema: unknown, value: unknown, options = {}): readonly string[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.problem);
  const outcome = compiled.validator(value, options);
  return outcome.ok ? [] : outcome.problems;
}

const TOO_LARGE = "The value is too large to be checked.";

const ISSUE = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 1, maxLength: 5 },
    count: { type: "integer", minimum: 1, exclusiveMaximum: 10 },
    state: { enum: ["open", "closed"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 2, uniqueItems: true },
    owner: { anyOf: [{ type: "null" }, { type: "object", properties: { id: { type: "string" } }, required: ["id"] }] },
    code: { type: "string", pattern: "^[A-Z]+$" },
    price: { type: "number", multipleOf: 0.1 },
  },
  required: ["title"],
  additionalProperties: false,
};

describe("compileSchema: values", () => {
  test("a value that fits has no problems", () => {
    const owner = { id: "x" };
    const value = { title: "ok", count: 9, state: "open", tags: ["a"], owner, code: "AB", price: 0.3 };
    expect(problems(ISSUE, value)).toEqual([]);
  });

  test.each([
    [7, ["The value must be an object."]],
    [{}, ['The value must have the property "title".']],
    [{ title: "" }, ["/title must have at least 1 character."]],
    [{ title: "\u{1F600}".repeat(6) }, ["/title must have at most 5 characters."]],
    [{ title: "a", count: 0 }, ["/count must be at least 1."]],
    [{ title: "a", count: 10 }, ["/count must be less than 10."]],
    [{ title: "a", count: 1.5 }, ["/count must be an integer."]],
    [{ title: "a", state: "gone" }, ['/state must be one of "open", "closed".']],
    [{ title: "a", tags: ["x", 1] }, ["/tags/1 must be a string."]],
    [{ title: "a", tags: ["x", "x"] }, ["/tags must not have equal items."]],
    [{ title: "a", tags: ["x", "y", "z"] }, ["/tags must have at most 2 items."]],
    [{ title: "a", owner: {} }, ['/owner must have the property "id".']],
    [{ title: "a", owner: 3 }, ["/owner must match one of 2 alternatives."]],
    [{ title: "a", code: "ab" }, ['/code must match the pattern "^[A-Z]+$".']],
    [{ title: "a", price: 0.35 }, ["/price must be a multiple of 0.1."]],
    [
      { title: "a", titel: "b" },
      ['The value must not have the property "titel" (known: title, count, state, tags, owner, code, price).'],
    ],
  ])("%j", (value, expected) => {
    expect(problems(ISSUE, value)).toEqual(expected);
  });

  test("problems come together, at most eight, and never hold a value", () => {
    const value = { title: 1, count: "secret", state: {}, tags: "secret" };
    expect(problems(ISSUE, value)).toEqual([
      "/title must be a string.",
      "/count must be an integer.",
      '/state must be one of "open", "closed".',
      "/tags must be an array.",
    ]);
    expect(
      problems(
        { items: { type: "null" } },
        Array.from({ length: 50 }, () => "secret"),
      ),
    ).toHaveLength(8);
  });

  test("keys of the value can be kept out of problems", () => {
    const dictionary = { additionalProperties: { type: "string" } };
    expect(problems(dictionary, { secret: 1 })).toEqual(["/secret must be a string."]);
    expect(problems(dictionary, { secret: 1 }, { showsKeys: false })).toEqual(["/* must be a string."]);
    expect(problems({ additionalProperties: false }, { secret: 1 }, { showsKeys: false })).toEqual([
      "The value must not have any other property.",
    ]);
  });

  test("nullable lets null through, whatever else the schema says", () => {
    expect(problems({ type: "string", nullable: true, enum: ["A"] }, null)).toEqual([]);
  });

  test("__proto__ is a key like any other", () => {
    const value: unknown = JSON.parse('{"__proto__": 1}');
    expect(problems({ additionalProperties: false }, value)).toEqual([
      'The value must not have the property "__proto__".',
    ]);
    expect(problems({ required: ["__proto__"] }, {})).toEqual(['The value must have the property "__proto__".']);
  });

  test("references, also to $id and into any place, and recursion through the value", () => {
    const tree = {
      $ref: "Node",
      $defs: { N: { $id: "Node", properties: { kids: { items: { $ref: "Node" } }, name: { type: "string" } } } },
    };
    expect(problems(tree, { kids: [{ kids: [{ name: 1 }] }] })).toEqual(["/kids/0/kids/0/name must be a string."]);
    const pointed = { properties: { a: { type: "string" }, b: { $ref: "#/properties/a" } } };
    expect(problems(pointed, { b: 1 })).toEqual(["/b must be a string."]);
  });

  test("agrees with an independent implementation", () => {
    fc.assert(
      fc.property(anySchema(), anyValue(), (schema, value) => {
        // The other implementation reads unevaluatedProperties of lists, and annotations inside `not`.
        expect(problems(schema, value).length === 0).toBe(Check({}, schema as object, value));
      }),
      { seed: 5, numRuns: 1_500 },
    );
  });
});

describe("compileSchema: unsound schemas", () => {
  test.each<[unknown, string]>([
    [undefined, "The schema cannot be used: a schema must be an object or a boolean."],
    [{ type: "strin" }, "The schema cannot be used: /type must be a JSON Schema type name, or a list of them."],
    [
      { properties: { a: { required: true } } },
      "The schema cannot be used: /properties/a/required must be a list of property names.",
    ],
    [{ properties: [] }, "The schema cannot be used: /properties must map names to schemas."],
    [{ items: 3 }, "The schema cannot be used: /items must be a schema."],
    [{ minLength: -1 }, "The schema cannot be used: /minLength must be a whole number."],
    [{ pattern: "[a-z" }, "The schema cannot be used: /pattern is not a valid regular expression."],
    [{ $ref: "https://example.com/s.json" }, "The schema cannot be used: /$ref names nothing inside the schema."],
    [{ $ref: "#" }, "The schema cannot be used: refers to itself without going into the value."],
    [
      { $ref: "#/$defs/A", $defs: { A: { allOf: [{ $ref: "#/$defs/B" }] }, B: { not: { $ref: "#/$defs/A" } } } },
      "The schema cannot be used: refers to itself without going into the value.",
    ],
  ])("%j", (schema, problem) => {
    expect(compileSchema(schema)).toEqual({ ok: false, problem });
  });

  test("a chain of references that is too long", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, step) => [`d${step}`, step === 4_999 ? {} : { $ref: `#/$defs/d${step + 1}` }]),
    );
    expect(compileSchema({ $ref: "#/$defs/d0", $defs })).toEqual({
      ok: false,
      problem: "The schema cannot be used: goes through more than 200 references and branches in a row.",
    });
  });

  test("patterns that cannot be matched in linear time are named and not enforced", () => {
    const compiled = compileSchema({ properties: { a: { pattern: "(a)\\1" } } });
    expect(compiled).toMatchObject({
      ok: true,
      unchecked: ["/properties/a/pattern is not checked: the pattern refers back to a group."],
    });
  });
});

describe("compileSchema: hostile schemas and values", () => {
  test("branches that multiply end at the budget", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, step) => {
        const next = { $ref: `#/$defs/d${step + 1}` };
        return [`d${step}`, step === 39 ? { type: "string" } : { allOf: [next, next] }];
      }),
    );
    expect(problems({ $ref: "#/$defs/d0", $defs }, "x")).toEqual([TOO_LARGE]);
  });

  test("a value nested too deeply is refused, not overflowed", () => {
    let value: unknown = 1;
    for (let layer = 0; layer < 100_000; layer += 1) value = [value];
    const schema = { $defs: { L: { items: { $ref: "#/$defs/L" } } }, $ref: "#/$defs/L" };
    expect(problems(schema, value)).toEqual(["The value is nested too deeply to be checked."]);
    expect(problems({ enum: [1] }, value)).toEqual(["The value must be 1."]);
  });

  test("a catastrophic pattern does not stop the host", () => {
    expect(problems({ pattern: "(a+)+$" }, `${"a".repeat(20_000)}!`)).toEqual([
      'The value must match the pattern "(a+)+$".',
    ]);
  });

  test.each([
    ["^[a-z]+$", "a".repeat(1_000_000), []],
    ["^(a+)+$", "a".repeat(1_000_000), []],
    ["^(a+)+$", `${"a".repeat(1_000_000)}!`, ['The value must match the pattern "^(a+)+$".']],
    ["^[a-z]+$", "a".repeat(10_000_000), [TOO_LARGE]],
    ["(?!.*b)c", "a".repeat(1_000_000), [TOO_LARGE]],
    ["^(?:a?){4000}$", "a".repeat(1_000_000), [TOO_LARGE]],
  ])("a long text costs the host a moment: %s", (pattern, text, expected) => {
    const startedAt = performance.now();
    for (let round = 0; round < 16; round += 1) expect(problems({ pattern }, text)).toEqual(expected);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test.each<[string, unknown, unknown]>([
    ["values", { items: { type: "number" } }, Array.from({ length: 200_000 }, (_, index) => index)],
    ["equal items", { uniqueItems: true }, Array.from({ length: 200_000 }, (_, index) => ({ index }))],
    ["one long item", { uniqueItems: true }, ["a".repeat(20_000_000)]],
    ["keys by pattern", { patternProperties: { "^x": {} } }, record(100_000)],
    ["keys by name", { additionalProperties: { type: "number" } }, record(200_000)],
    ["unevaluated keys", { unevaluatedProperties: { type: "number" } }, record(100_000)],
  ])("too many or too large ones are refused as too large: %s", (_name, schema, value) => {
    const compiled = compileSchema(schema);
    const startedAt = performance.now();
    const outcome = compiled.ok && compiled.validator(value);
    expect(outcome).toEqual({ ok: false, problems: [TOO_LARGE], isTooLarge: true });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test("what the schema does not look at may have any size", () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    expect(problems({ properties: { rows: { type: "array", minItems: 1 } } }, { rows })).toEqual([]);
    expect(problems({ enum: ["a", "b"] }, rows)).toEqual(['The value must be one of "a", "b".']);
    expect(problems({ minLength: 1, maxLength: 20_000_000 }, "a".repeat(10_000_000))).toEqual([]);
    expect(problems({ maxLength: 5 }, "a".repeat(10_000_000))).toEqual(["The value must have at most 5 characters."]);
  });

  test("ten thousand records are not too many", () => {
    const schema = { items: { ...ISSUE, required: ["title", "count"] } };
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ title: "ok", count: 1 + (index % 9), state: "open" }));
    expect(problems(schema, rows)).toEqual([]);
  });

  test("a schema that contains itself checks a value that does not", () => {
    const schema: { properties: Record<string, unknown> } = { properties: {} };
    schema.properties["a"] = schema;
    schema.properties["b"] = { type: "string" };
    expect(problems(schema, { a: { a: { b: 1 } } })).toEqual(["/a/a/b must be a string."]);
  });
});

function record(size: number): unknown {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index]));
}

function anyValue(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, 0, 1, 2, -1, 1.5, "", "a", "ab", "b"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
}

function anySchema(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => {
    const schema = tie("schema");
    const some = (keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
      fc.record(keywords, { requiredKeys: [] });
    const list = (maxLength: number): fc.Arbitrary<unknown[]> => fc.array(schema, { minLength: 1, maxLength });
    return {
      schema: fc.oneof(
        { depthSize: "small", maxDepth: 3 },
        fc.constantFrom<unknown>(
          ...[
            true,
            false,
            {},
            { type: "string" },
            { type: "integer" },
            { type: ["number", "null"] },
            { type: "object" },
          ],
          ...[{ type: "array" }, { const: 1 }, { enum: ["a", null, [1]] }, { minimum: 1 }, { exclusiveMaximum: 2 }],
          ...[{ minLength: 2 }, { pattern: "^a" }, { multipleOf: 0.5 }, { uniqueItems: true }, { required: ["a"] }],
        ),
        some({
          properties: fc.dictionary(fc.constantFrom("a", "b"), schema, { maxKeys: 2 }),
          additionalProperties: schema,
          patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), schema, { maxKeys: 2 }),
          required: fc.subarray(["a", "b"]),
          dependentRequired: fc.constant({ a: ["b"] }),
          dependentSchemas: fc.dictionary(fc.constant("a"), schema),
          propertyNames: schema,
          minProperties: fc.constant(1),
        }),
        some({ allOf: list(2), anyOf: list(2), oneOf: list(3), not: schema, if: schema, then: schema, else: schema }),
        some({
          prefixItems: list(2),
          items: schema,
          contains: schema,
          minContains: fc.constantFrom(0, 1, 2),
          unevaluatedItems: schema,
        }),
      ),
    };
  }).schema;
}
