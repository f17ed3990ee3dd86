import { expect, test } from "vitest";
import { decodeTool } from "./decode-tool.js";

test("MCP-07: a sound tool keeps name, description and schemas and nothing else", () => {
  const schemas = { inputSchema: { type: "object" }, outputSchema: { type: "object", properties: {} } };
  expect(decodeTool({ name: "a", title: "A", description: "d", annotations: {}, ...schemas })).toEqual({
    type: "tool",
    tool: { name: "a", description: "d", ...schemas },
    faults: [],
    chars: 52,
  });
});

test("MCP-07: null stands for a field that was left out", () => {
  expect(decodeTool({ name: "a", description: null, inputSchema: {}, outputSchema: null })).toEqual({
    type: "tool",
    tool: { name: "a", inputSchema: {} },
    faults: [],
    chars: 5,
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
    chars: 1,
  });
});

test("MCP-07: a schema without a bottom and a description without an end cost no more than themselves", () => {
  const bottomless: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  const outputSchema = { enum: ["x".repeat(1_048_576)] };
  expect(decodeTool({ name: "a", description: "d".repeat(70_000), inputSchema: bottomless, outputSchema })).toEqual({
    type: "tool",
    tool: { name: "a", description: "d".repeat(65_536), inputSchema: true },
    faults: [
      "inputSchema is nested more than 200 levels deep; any input is accepted",
      "outputSchema has more than 1048576 characters; it is left out",
      "description has 70000 characters; it is cut after 65536",
    ],
    chars: 65_537,
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
