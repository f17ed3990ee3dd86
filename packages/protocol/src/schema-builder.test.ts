import { Type as TypeBox } from "typebox";
import { expect, test, vi } from "vitest";
import * as ours from "./index.js";
import { Type } from "./schema-builder.js";

/** A schema with the keys that typebox hides, and how it hides them. */
function reveal(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(value));
  return descriptors.map(([key, { value: part, ...flags }]) => [key, reveal(part), flags]);
}

test("every schema of the package equals what typebox builds, hidden keys included", async () => {
  vi.resetModules();
  vi.doMock("./schema-builder.js", () => ({ Type: TypeBox }));
  const theirs = (await import("./index.js")) as Record<string, unknown>;
  vi.doUnmock("./schema-builder.js");
  const schemas = Object.entries(ours).filter(([name]) => name.endsWith("Schema"));
  expect(schemas.length).toBeGreaterThan(25);
  for (const [name, schema] of schemas) {
    expect(theirs[name], name).not.toBe(schema);
    expect(reveal(schema), name).toEqual(reveal(theirs[name]));
  }
});

test("so do the parts that they have in common, with and without options", () => {
  const build = (type: typeof Type) => {
    const { Enum, Integer, Literal, Optional, String, Union, Unknown, Unsafe } = type;
    const options = { description: "x" };
    const fields = {
      a: Optional(type.Array(String(options), options)),
      b: Optional(Unsafe<string>({ type: "string" })),
    };
    return [
      type.Object({}),
      type.Object(fields, options),
      type.Object({ ...fields, c: Union([Literal(1, options), Literal("x"), Literal(true)], options) }),
      [
        type.Boolean(options),
        Enum(["a", "b"], options),
        Integer(options),
        type.Number({ minimum: 1 }),
        Unknown(options),
      ],
      [type.Boolean(), Enum(["a", "b"]), Integer(), type.Number(), Unknown(), Unsafe(String())],
      type.Record(String(), Integer()),
    ];
  };
  expect(reveal(build(Type))).toEqual(reveal(build(TypeBox as unknown as typeof Type)));
});
