import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeModeResult, ToolDescriptor } from "@codemode/protocol";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

const tools: readonly ToolDescriptor[] = [
  {
    name: "add-numbers",
    label: "Add",
    description: "Adds two numbers.",
    id: "host-only-identity",
    parameters: {
      type: "object",
      properties: { a: { type: "integer", minimum: 0 }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { sum: { type: "number" } },
      required: ["sum"],
      additionalProperties: false,
    },
    execute: (input) => {
      const { a, b } = input as { a: number; b: number };
      return { details: { sum: a + b } };
    },
  },
  {
    name: "from_client",
    source: "client",
    description: "A client's tool.",
    parameters: {},
    execute: () => ({ details: 1 }),
  },
];

const addMetadata = {
  callableName: "add_numbers",
  toolName: "add-numbers",
  label: "Add",
  description: "Adds two numbers.",
  source: "host",
  input: "{ a: number /* integer, >= 0 */; b: number }",
  output: "{ sum: number }",
};
const clientMetadata = {
  callableName: "from_client",
  toolName: "from_client",
  description: "A client's tool.",
  source: "client",
  input: "unknown",
};

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

async function runCell(code: string): Promise<CodeModeResult> {
  await using run = real.openRun({ tools });
  return await run.exec({ code });
}

async function valueOf(code: string): Promise<unknown> {
  const result = await runCell(code);
  return result.status === "completed" ? result.value : result;
}

test("CAT-01: search gives a frozen array of handles that can be called, and nothing for no match", async () => {
  const code = `
    const found = await catalog.search("add numbers", { limit: 1 });
    const exact = await catalog.search("add_numbers");
    const none = await catalog.search("zebra migration");
    return [Object.isFrozen(found), found.length, (await found[0]({ a: 2, b: 3 })).sum, exact[0].callableName, none];`;
  expect(await valueOf(code)).toEqual([true, 1, 5, "add_numbers", []]);
});

test("CAT-05: a handle is a function with its metadata, and writing it anywhere makes no bridge call", async () => {
  const code = `
    const [handle] = await catalog.search("add_numbers");
    text(handle);
    json({ handle });
    return {
      kind: typeof handle, toolName: handle.toolName, describe: typeof handle.describe, toJSON: handle.toJSON(),
      text: JSON.stringify(handle), spread: { ...handle }, all: catalog.all(),
    };`;
  const result = await runCell(code);
  expect(result).toMatchObject({
    status: "completed",
    value: {
      kind: "function",
      toolName: "add-numbers",
      describe: "function",
      toJSON: addMetadata,
      spread: addMetadata,
      all: [addMetadata, clientMetadata],
    },
    output: [
      { type: "text", text: JSON.stringify(addMetadata) },
      { type: "json", value: { handle: addMetadata } },
    ],
    telemetry: { searchCount: 1, describeCount: 0, callCount: 0 },
  });
});

test("CAT-06, CAT-07: describe gives the whole schemas and no host-only id, which is nowhere in the cell", async () => {
  const code = `
    const [handle] = await catalog.search("add_numbers");
    const { name, parameters, outputSchema, ...rest } = await handle.describe();
    return [name, parameters.required, outputSchema.required, Object.keys(rest).sort()];`;
  expect(await valueOf(code)).toEqual([
    "add-numbers",
    ["a", "b"],
    ["sum"],
    ["callableName", "description", "input", "label", "output", "source"],
  ]);
  const everywhere = `
    const [handle] = await catalog.search("add_numbers");
    let failure;
    try { await handle({ a: "x", b: 1 }); } catch (error) { failure = error.message; }
    return JSON.stringify([catalog.all(), await handle.describe(), failure]).includes("host-only-identity");`;
  expect(await valueOf(everywhere)).toBe(false);
});

test("NAME-04: error texts say the callable name", async () => {
  expect(await runCell("await add_numbers(1, 2);")).toMatchObject({
    error:
      "TypeError: add_numbers takes one object, but got 2 arguments: pass one object, such as add_numbers({ key: value }).",
  });
});
