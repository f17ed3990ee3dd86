import { expect, test } from "vitest";
import { applyDefaults } from "./apply-defaults.js";

test("MCP-12: missing properties get their defaults, present ones stay", () => {
  const schema = {
    properties: { a: { default: 1 }, b: { default: "x" }, c: { type: "string" }, d: { default: null } },
  };
  expect(applyDefaults(schema, { b: "y", a: undefined })).toEqual({ b: "y", a: 1, d: null });
});

test("MCP-12: objects that are there are filled too, through references and allOf; absent ones are not made", () => {
  const schema = {
    properties: {
      page: { $ref: "#/$defs/Page" },
      sort: { allOf: [{ properties: { by: { default: "name" } } }, { properties: { order: { default: "asc" } } }] },
      other: { properties: { x: { default: 1 } } },
    },
    $defs: { Page: { properties: { size: { default: 20 } } } },
  };
  expect(applyDefaults(schema, { page: {}, sort: { by: "size" } })).toEqual({
    page: { size: 20 },
    sort: { by: "size", order: "asc" },
  });
});

test("a default that its own schema refuses, or that is no JSON, is left out", () => {
  const schema = {
    properties: {
      a: { type: "string", default: null },
      b: { type: "integer", default: 1 },
      c: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
      d: { default: () => 1 },
      e: { $ref: "#/$defs/Loop", default: 1 },
    },
    $defs: { Loop: { $ref: "#/$defs/Loop" } },
  };
  expect(applyDefaults(schema, {})).toEqual({ b: 1, c: null });
});

test("neither schema nor value is changed or shared", () => {
  const schema = { properties: { list: { default: [{ n: 1 }] }, inner: { properties: { x: { default: 1 } } } } };
  const value = Object.freeze({ inner: Object.freeze({}) });
  const filled = applyDefaults(schema, value) as { list: { n: number }[] };
  filled.list[0] = { n: 2 };
  expect(applyDefaults(schema, value)).toEqual({ inner: { x: 1 }, list: [{ n: 1 }] });
});

test("__proto__ stays an own key", () => {
  const filled = applyDefaults(JSON.parse('{"properties":{"__proto__":{"default":{"x":1}}}}'), {}) as object;
  expect(Object.keys(filled)).toEqual(["__proto__"]);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test.each([7, null, "x", [1]])("%j comes back as it is", (value) => {
  expect(applyDefaults({ properties: { a: { default: 1 } } }, value)).toBe(value);
});

test("a schema whose parts multiply with the depth of the value ends", () => {
  const part = { properties: { x: { $ref: "#" } } };
  const schema = { allOf: Array.from({ length: 30 }, () => ({ ...part })) };
  let value: unknown = {};
  for (let layer = 0; layer < 16; layer += 1) value = { x: value };
  expect(applyDefaults(schema, value)).toEqual(value);
});

test("a hostile schema costs one call a bounded amount, and what was filled before stays", () => {
  const layers = Object.fromEntries(
    Array.from({ length: 24 }, (_, layer) => {
      const next = { $ref: `#/$defs/d${layer + 1}` };
      return [`d${layer}`, { anyOf: [next, next] }];
    }),
  );
  const many = (property: unknown): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: 9_000 }, (_, number) => [`k${number}`, property]));
  const texts = Array.from({ length: 200_000 }, (_, number) => `x${number}`);
  const $defs = { ...layers, d24: { type: "string" }, Texts: { enum: texts }, List: { default: texts } };
  const started = performance.now();
  for (const property of [
    { $ref: "#/$defs/d0", default: 1 },
    { $ref: "#/$defs/Texts", default: "x1" },
  ]) {
    const schema = { properties: { first: { default: 1 }, ...many(property) }, $defs };
    expect(applyDefaults(schema, { own: true })).toEqual({ own: true, first: 1 });
  }
  expect(applyDefaults({ properties: many({ $ref: "#/$defs/List" }), $defs }, { own: true })).toEqual({ own: true });
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("a thousand honest defaults are all applied", () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `property${number}`);
  const properties = Object.fromEntries(names.map((name, number) => [name, { type: "integer", default: number }]));
  expect(applyDefaults({ properties }, {})).toEqual(Object.fromEntries(names.map((name, number) => [name, number])));
});
