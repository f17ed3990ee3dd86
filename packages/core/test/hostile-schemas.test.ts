import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonSchema, ToolDescriptor } from "@codemode/protocol";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

const SECRET = "value-nobody-may-read";

/** Far longer than any of it takes on a machine that does other work too, far shorter than what it would hang for. */
const MAX_GAP_MS = 10_000;

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

function layers(count: number): JsonSchema {
  let schema: JsonSchema = { type: "string" };
  for (let layer = 0; layer < count; layer += 1) schema = { type: "object", properties: { s: schema } };
  return schema;
}

function fanningOut(count: number): JsonSchema {
  const level = (n: number): JsonSchema => {
    const next = { $ref: `#/$defs/d${n + 1}` };
    return n + 1 === count ? { type: "string" } : { anyOf: [next, next] };
  };
  return {
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n}`, level(n)])),
  };
}

function containingItself(): JsonSchema {
  const node: { type: string; properties: Record<string, unknown> } = { type: "object", properties: {} };
  node.properties["s"] = node;
  return node;
}

const property = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { s: schema } });

const schemas: Readonly<Record<string, JsonSchema>> = {
  reference_loop: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  reference_to_itself: { allOf: [{ $ref: "#" }] },
  cyclic_object: containingItself(),
  fan_out: fanningOut(30),
  deep: layers(100_000),
  deep_and_real: layers(4_000),
  catastrophic: property({ type: "string", pattern: "^(a+)+$" }),
  catastrophic_repeats: property({ type: "string", pattern: "(x+x+)+y" }),
  counted_repeats: property({ type: "string", pattern: "(a{1,1000}){1,1000}$" }),
  invalid_pattern: property({ type: "string", pattern: "[a-z" }),
  nonsense: { type: "strin", properties: 7, required: "x", enum: "no", minimum: "1" },
  nonsense_list: { type: ["object", 7, null] },
  many_alternatives: { oneOf: Array.from({ length: 3_000 }, (_, n) => property({ const: n })) },
  many_values: property({ enum: Array.from({ length: 100_000 }, (_, n) => `v${n}`) }),
  unique_items: property({ type: "array", uniqueItems: true }),
};

/** Calls every tool with a long text; gives what each call ended with. */
const CODE = `
  const s = "a".repeat(30_000) + "!";
  const ends = {};
  for (const handle of catalog.all()) {
    try { await handle({ s }); ends[handle.callableName] = "ok"; }
    catch (error) { ends[handle.callableName] = error.code + " " + error.message; }
  }
  await catalog.search("reference loop");
  return ends;`;

async function worstGap(work: () => Promise<void>): Promise<number> {
  let [worst, last, isOver] = [0, performance.now(), false];
  const look = (): void => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  await work();
  isOver = true;
  look();
  return worst;
}

test("OUTC-01, OUTC-02, HINT-02: no schema overflows or blocks the host, and none makes a call leak its value", async () => {
  const executed: string[] = [];
  const withSchema = (given: Partial<ToolDescriptor>, kind: string) =>
    Object.keys(schemas).map((name): ToolDescriptor => ({
      name: `${name}_${kind}`,
      description: "Hostile.",
      parameters: {},
      execute: () => ({ details: { s: SECRET, n: executed.push(`${name}_${kind}`) } }),
      ...(given.source === "client" ? { ...given, parameters: schemas[name] ?? {} } : given),
      ...(given.source === "client" ? {} : { outputSchema: schemas[name] ?? {} }),
    }));
  const gap = await worstGap(async () => {
    await using run = real.openRun(
      {
        tools: [...withSchema({}, "out"), ...withSchema({ source: "client" }, "in")],
        mcp: [
          {
            name: "hostile",
            tools: Object.entries(schemas).map(([name, inputSchema]) => ({
              name,
              inputSchema,
              outputSchema: inputSchema,
            })),
            callTool: async () => ({ content: [] }),
          },
        ],
      },
      { timeoutMs: 60_000 },
    );
    const result = await run.exec({ code: CODE });
    expect(result).toMatchObject({ status: "completed" });
    const ends = (result as { value: Record<string, string> }).value;
    expect(Object.keys(ends)).toHaveLength(2 * Object.keys(schemas).length);
    for (const [name, end] of Object.entries(ends)) {
      expect(end).toMatch(/^(?:ok$|tool_(?:input|output)_invalid )/);
      expect(end).not.toContain(SECRET);
      expect(executed.includes(name)).toBe(end === "ok" || end.includes("has run"));
    }
    expect(ends["nonsense_out"]).toMatch(
      /^tool_output_invalid nonsense_out was not run: its output schema is invalid: /,
    );
    expect(ends["catastrophic_out"]).toBe(
      "tool_output_invalid catastrophic_out has run, but its result does not match its output schema: " +
        '/s must match the pattern "^(a+)+$".',
    );
    expect(ends["catastrophic_in"]).toBe(
      'tool_input_invalid Invalid input for catastrophic_in: /s must match the pattern "^(a+)+$".',
    );
  });
  expect(gap).toBeLessThan(MAX_GAP_MS);
}, 120_000);
