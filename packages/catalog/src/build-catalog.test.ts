import type { ToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "./build-catalog.js";
import { describeEntry } from "./describe.js";

const SHIPMENT = {
  type: "object",
  properties: { id: { type: "string" }, paid: { type: "boolean" } },
  required: ["id", "paid"],
  additionalProperties: false,
};

function tool(name: string, more: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return {
    name,
    description: `Does ${name}.`,
    parameters: { type: "object" },
    execute: () => ({ details: null }),
    ...more,
  };
}

describe("buildCatalog", () => {
  test("CAT-08 HINT-02: entries carry hints of host tools only", () => {
    const parameters = { type: "object", properties: { limit: { type: "integer", minimum: 1 } } };
    const catalog = buildCatalog([
      tool("list-shipments", { label: "Shipments", parameters, outputSchema: { type: "array", items: SHIPMENT } }),
      tool("open", { outputSchema: { type: "object", properties: {} } }),
      tool("pick", { source: "client", parameters, outputSchema: SHIPMENT }),
    ]);
    expect(catalog.entries.map(({ id, descriptor, ...visible }) => visible)).toEqual([
      {
        toolName: "list-shipments",
        callableName: "list_shipments",
        source: "host",
        label: "Shipments",
        description: "Does list-shipments.",
        input: "{ limit?: number /* integer, >= 1 */ }",
        output: "Array<{ id: string; paid: boolean }>",
      },
      {
        toolName: "open",
        callableName: "open",
        source: "host",
        description: "Does open.",
        input: "{ [key: string]: unknown }",
      },
      { toolName: "pick", callableName: "pick", source: "client", description: "Does pick.", input: "unknown" },
    ]);
    expect(Object.isFrozen(catalog.entries)).toBe(true);
    expect(catalog.find("list_shipments")?.toolName).toBe("list-shipments");
    expect(catalog.find("toString")).toBeUndefined();
  });

  test("the host's label is the source that guests see", () => {
    const catalog = buildCatalog([tool("a"), tool("b", { source: "client" })], { hostLabel: "openclaw" });
    expect(catalog.entries.map((entry) => entry.source)).toEqual(["openclaw", "client"]);
  });

  test("NAME-03: a client tool shadows a host tool of its name, otherwise the first stays", () => {
    const first = tool("a", { description: "first" });
    const catalog = buildCatalog([
      first,
      tool("a", { description: "second" }),
      tool("b", { description: "host" }),
      tool("b", { description: "client", source: "client" }),
      tool("b", { description: "late client", source: "client" }),
      tool("b", { description: "late host" }),
    ]);
    expect(catalog.entries.map((entry) => entry.description)).toEqual(["first", "client"]);
    expect(catalog.omitted).toEqual([
      { toolName: "a", reason: "duplicate" },
      { toolName: "b", reason: "shadowed" },
      { toolName: "b", reason: "duplicate" },
      { toolName: "b", reason: "duplicate" },
    ]);
  });

  test("CAT-10: direct-only and control tools are no entries, the shell tool exec is one", () => {
    const computer = tool("computer", { directOnly: true });
    const catalog = buildCatalog([computer, tool("exec"), tool("wait"), tool("tool_search"), tool("tool_call")]);
    expect(catalog.entries.map((entry) => entry.callableName)).toEqual(["exec"]);
    expect(catalog.directOnly).toEqual([computer]);
    expect(catalog.omitted.map(({ toolName }) => toolName)).toEqual(["wait", "tool_search", "tool_call"]);
  });

  test("the fingerprint changes with what guests see, and with nothing else", () => {
    const fingerprint = (...tools: ToolDescriptor[]): string => buildCatalog(tools).fingerprint;
    expect(fingerprint(tool("a"))).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint(tool("a", { id: "other" }))).toBe(fingerprint(tool("a")));
    expect(fingerprint(tool("a", { description: "new" }))).not.toBe(fingerprint(tool("a")));
    expect(fingerprint(tool("a"), tool("b"))).not.toBe(fingerprint(tool("b"), tool("a")));
  });

  test("metadata is bounded", () => {
    const [entry] = buildCatalog([
      tool("n".repeat(1_000), { description: "d".repeat(1_000), label: "l".repeat(1_000) }),
    ]).entries;
    expect([entry?.toolName.length, entry?.description.length, entry?.label?.length]).toEqual([256, 300, 100]);
  });

  test("a name that is no text, and one id for two tools, are the host's mistakes", () => {
    expect(() => buildCatalog([tool("a"), tool(7 as unknown as string)])).toThrow("tools[1].name must be a string.");
    expect(() => buildCatalog([tool("a", { id: "x" }), tool("b", { id: "x" })])).toThrow(
      'tools: two tools have the same id; give "b" its own.',
    );
  });

  test("hostile schemas build a catalog all the same", () => {
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic["properties"] = { self: cyclic };
    const catalog = buildCatalog([
      tool("cyclic", { parameters: cyclic as never, outputSchema: cyclic as never }),
      tool("nonsense", { parameters: 7 as never, outputSchema: null as never, description: undefined as never }),
    ]);
    expect(catalog.entries.map(({ input, output }) => [input, output])).toEqual([
      ["{ self?: unknown }", undefined],
      ["unknown", undefined],
    ]);
  });
});

describe("describeEntry", () => {
  test("CAT-06 CAT-07: name, whole schemas and no id", () => {
    const [entry] = buildCatalog([
      tool("list-shipments", {
        id: "secret-id",
        label: "Shipments",
        parameters: SHIPMENT,
        outputSchema: { type: "string" },
      }),
    ]).entries;
    expect(entry && describeEntry(entry)).toEqual({
      name: "list-shipments",
      callableName: "list_shipments",
      label: "Shipments",
      description: "Does list-shipments.",
      source: "host",
      input: "{ id: string; paid: boolean }",
      output: "string",
      parameters: SHIPMENT,
      outputSchema: { type: "string" },
    });
    expect(JSON.stringify(entry && describeEntry(entry))).not.toContain("secret-id");
  });

  test("CAT-08: a client's output schema stays out", () => {
    const [entry] = buildCatalog([tool("pick", { source: "client", outputSchema: SHIPMENT })]).entries;
    expect(entry && describeEntry(entry)).toEqual({
      name: "pick",
      callableName: "pick",
      description: "Does pick.",
      source: "client",
      input: "unknown",
      parameters: { type: "object" },
    });
  });
});
