import { describe, expect, test } from "vitest";
import { createReferences } from "./references.js";

const target = { type: "string" };

describe("createReferences", () => {
  test.each([
    ["#", { a: 1 }, { a: 1 }],
    ["#/$defs/X", { $defs: { X: target } }, target],
    ["#/definitions/a~1b~0c", { definitions: { "a/b~c": target } }, target],
    ["#/properties/with%20space", { properties: { "with space": target } }, target],
    ["#/allOf/1", { allOf: [true, target] }, target],
    ["#/allOf/0", { allOf: [true, target] }, true],
    ["#name", { $defs: { X: { $anchor: "name", type: "null" } } }, { $anchor: "name", type: "null" }],
    ["Node", { $defs: { X: { $id: "Node" } } }, { $id: "Node" }],
    ["https://example.com/x#/$defs/Y", { $id: "https://example.com/x", $defs: { Y: target } }, target],
  ])("%s resolves inside the document", (reference, root, expected) => {
    expect(createReferences(root).resolve(reference)).toEqual(expected);
  });

  test.each([
    "#/__proto__/toString",
    "#/constructor",
    "#/$defs/Nope",
    "#/$defs/%zz",
    "#/type/0",
    "#nowhere",
    "https://example.com/other.json",
    "other.json#/x",
    `#/${"x/".repeat(1_000)}`,
  ])("%s names nothing", (reference) => {
    expect(createReferences({ type: "string", $defs: {} }).resolve(reference)).toBeUndefined();
  });

  test("a document that contains itself is indexed once", () => {
    const root: Record<string, unknown> = { $anchor: "me" };
    root["self"] = root;
    expect(createReferences(root).resolve("#me")).toBe(root);
  });
});
