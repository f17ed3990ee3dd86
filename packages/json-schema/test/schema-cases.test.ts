import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { renderTypeDeclaration, typeHint } from "../src/index.js";

interface SchemaCase {
  readonly id: string;
  readonly schema: unknown;
  readonly declaration: string;
  readonly hint: string;
  readonly problems: readonly string[];
}

const cases = JSON.parse(
  readFileSync(new URL("fixtures/schema-cases.json", import.meta.url), "utf8"),
) as readonly SchemaCase[];
const INPUT = { maxChars: 300, maxProperties: 16, maxDepth: 4 };

describe("schemas that broke other systems", () => {
  test.each(cases)("HINT-01 MCP-07: $id", ({ schema, declaration, hint, problems }) => {
    const rendered = renderTypeDeclaration(schema);
    expect(rendered.text).toBe(declaration);
    expect(rendered.problems).toEqual(problems);
    expect(typeHint(schema, INPUT).text).toBe(hint);
  });
});

describe("schemas that are too much", () => {
  test("a reference that fans out at every level stays bounded", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, level === 29 ? { type: "string" } : { type: "object", properties: { l: next, r: next } }];
      }),
    );
    const rendered = renderTypeDeclaration({ $ref: "#/$defs/d0", $defs });
    expect(rendered.text.length).toBeLessThan(16_001);
    expect(rendered.problems).toEqual(["Layers of the schema beyond the printed ones were cut."]);
    expect(typeHint({ $ref: "#/$defs/d0", $defs }, INPUT).text).toBe(
      "{ l?: { l?: { l?: { ... }; r?: { ... } }; r?: { l?: { ... }; r?: { ... } } }; " +
        "r?: { l?: { l?: { ... }; r?: { ... } }; r?: { l?: { ... }; r?: { ... } } } }",
    );
  });

  test("thirteen layers are printed in full, two hundred are cut with a comment", () => {
    expect(renderTypeDeclaration(layers(13)).text.match(/n\?:/g)).toHaveLength(13);
    const rendered = renderTypeDeclaration(layers(200));
    expect(rendered.text.match(/n\?:/g)).toHaveLength(20);
    expect(rendered.text).toContain("unknown /* cut */");
    expect(rendered.problems).toEqual(["Layers of the schema beyond the printed ones were cut."]);
  });

  test("a hundred thousand layers overflow nothing", () => {
    expect(typeHint(layers(100_000), INPUT)).toEqual({
      text: "{ n?: { n?: { n?: { n?: { ... } } } } }",
      isComplete: false,
    });
    expect(renderTypeDeclaration(layers(100_000)).text.match(/n\?:/g)).toHaveLength(20);
  });

  test("six hundred described properties are all declared, without the descriptions", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 600 }, (_, number) => [`p${number}`, { type: "string", description: "d".repeat(200) }]),
    );
    const rendered = renderTypeDeclaration({ type: "object", properties });
    expect(rendered.text.split("\n")).toHaveLength(602);
    expect(rendered.problems).toEqual([]);
    expect(typeHint({ type: "object", properties }, INPUT).text).toBe(
      `{ ${Array.from({ length: 16 }, (_, number) => `p${number}?: string`).join("; ")}; ... }`,
    );
  });

  test("a schema object that contains itself is cut where it comes back", () => {
    const node: { type: string; properties: Record<string, unknown> } = { type: "object", properties: {} };
    node.properties["child"] = node;
    expect(renderTypeDeclaration(node).text).toBe("{ child?: unknown /* recursive */ }");
    expect(typeHint(node, INPUT)).toEqual({ text: "{ child?: unknown }", isComplete: false });
  });

  test("a million characters of names and values stay within the bounds", () => {
    const long = "x".repeat(1_000_000);
    const schema = { type: "object", properties: { [long]: { const: long }, b: { enum: [long, 1] } } };
    expect(typeHint(schema, INPUT)).toEqual({ text: "{ ... }", isComplete: false });
    expect(renderTypeDeclaration(schema)).toEqual({
      text: "unknown",
      problems: ["The schema is too large; parts of its type were cut."],
      acceptsEmptyObject: true,
      acceptsObjects: true,
      outermost: [],
    });
  });

  test.each([undefined, null, 7, "object", [], () => true, Symbol("s")])(
    "%o is no schema and gives unknown",
    (value) => {
      expect(typeHint(value, INPUT)).toEqual({ text: "unknown", isComplete: false });
      expect(renderTypeDeclaration(value).text).toBe("unknown /* unsupported */");
    },
  );

  test("getters of a schema never run", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    Object.defineProperty(schema, "anyOf", { enumerable: true, get: () => expect.unreachable() });
    Object.defineProperty(schema.properties, "b", { enumerable: true, get: () => expect.unreachable() });
    expect(renderTypeDeclaration(schema).text).toBe("{ a?: string; b?: unknown /* unsupported */ }");
  });
});

function layers(count: number): unknown {
  let schema: unknown = { type: "string" };
  for (let layer = 0; layer < count; layer += 1) schema = { type: "object", properties: { n: schema } };
  return schema;
}
