import { expect, test } from "vitest";
import { decodeTool } from "./decode-tool.js";

test("MCP-07: a sound tool keeps name, description and schemas and nothing else", () => {
  const schemas = { inputSchema: { type: "object" }, outputSchema: { type: "object", properties: {} } };
  expect(decodeTool({ name: "a", title: "A", description: "d", annotations: {}, ...schemas })).toEqual({
    type: "tool",
    tool: { name: "a", description: "d", ...schemas },
    faults: [],
  });
});

test("MCP-07: null stands for a field that was left out", () => {
  expect(decodeTool({ name: "a", description: null, inputSchema: {}, outputSchema: null })).toEqual({
    type: "tool",
    tool: { name: "a", inputSchema: {} },
    faults: [],
  });
});

test("MCP-07: every fault is named", () => {
  expect(decodeTool({ name: "a", description: 5, inputSchema: null, outputSchema: "x" })).toEqual({
    type: "tool",
    tool: { name: "a", inputSchema: true },
    faults: [
      "inputSchema is null instead of a JSON Schema; any input is accepted",
      'outputSchema is "x" instead of a JSON Schema; it is left out',
      "description is 5 instead of text; it is left out",
    ],
  });
});

test.each([
  [null, "is null instead of an object"],
  [[], "is an array instead of an object"],
  [{ inputSchema: {} }, "has no name"],
  [{ name: "" }, "has no name"],
  [{ name: 5 }, "has no name"],
  [{ name: "x".repeat(1_000_000) }, "has a name of 1000000 characters; at most 512 are taken"],
])("MCP-07: a tool that cannot be called is left out", (value, fault) => {
  expect(decodeTool(value)).toEqual({ type: "unusable", fault });
});
