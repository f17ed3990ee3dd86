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

const echo: ToolDescriptor = {
  name: "echo",
  description: "Gives its input back.",
  parameters: { type: "object" },
  execute: (input) => ({ details: input as object as never }),
};

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

test("CAT-05: handles in arrays, objects, maps and promises are their metadata, and make no bridge call", async () => {
  const code = `
    const [handle] = catalog.all();
    const nested = { list: [handle, [handle]], by: new Map([["add", handle]]), set: new Set([handle]) };
    text(String(handle).includes("host-only-identity"));
    text(\`\${JSON.stringify(nested.list)}\`);
    text([handle]);
    json(nested);
    return { nested, promised: Promise.resolve(handle), again: catalog.all()[0] === handle, keys: Object.keys(handle) };`;
  const handled = { list: [addMetadata, [addMetadata]], by: { add: addMetadata }, set: [addMetadata] };
  const listText = JSON.stringify([addMetadata, [addMetadata]]);
  const result = await runCell(code);
  expect(result).toMatchObject({
    status: "completed",
    value: {
      nested: handled,
      promised: addMetadata,
      again: true,
      keys: ["callableName", "toolName", "label", "description", "source", "input", "output"],
    },
    output: [
      { type: "text", text: "false" },
      { type: "text", text: listText },
      { type: "text", text: JSON.stringify([addMetadata]) },
      { type: "json", value: handled },
    ],
    telemetry: { searchCount: 0, describeCount: 0, callCount: 0 },
  });
  expect(result).not.toHaveProperty("calls");
});

test("CAT-05: a handle's metadata is bounded, and nobody can change it", async () => {
  await using run = real.openRun({
    tools: [
      {
        name: "wordy",
        label: "L".repeat(1_000),
        description: "D".repeat(10_000),
        parameters: { type: "object", properties: { ["k".repeat(1_000)]: { type: "string" } } },
        execute: () => ({ details: null }),
      },
    ],
  });
  const code = `
    const [handle] = catalog.all();
    try { handle.description = "x"; } catch (error) { text(error.name); }
    const { label, description, input } = handle;
    return [label.length, description.length, input, (await handle.describe()).description.length];`;
  expect(await run.exec({ code })).toMatchObject({
    status: "completed",
    value: [100, 300, "{ ... }", 8_000],
    output: [{ type: "text", text: "TypeError" }],
  });
});

test("CAT-12: search, describe, index and global agree on a tool's name, also after a resume", async () => {
  const names = ["list-shipments", "list.shipments", "list_shipments", "delete"];
  await using run = real.openRun({ tools: names.map((name) => ({ ...echo, name })) });
  const code = `
    const before = await Promise.all(catalog.all().map(async (handle) => [handle, await handle.describe()]));
    await yield_control("bench");
    const seen = [];
    for (const [handle, described] of before) {
      const [found] = await catalog.search(handle.toolName, { limit: 1 });
      const again = await found.describe();
      const { name } = await globalThis[handle.callableName]({ name: again.callableName });
      seen.push([handle.toolName, new Set([name, handle.callableName, described.callableName, found.callableName]).size, name]);
    }
    return seen;`;
  const waiting = await run.exec({ code });
  expect(waiting).toMatchObject({ status: "waiting", reason: "yield" });
  const result = await run.wait({ runId: waiting.status === "waiting" ? waiting.runId : "" });
  const expected = [
    ["list-shipments", 1, "list_shipments_15bb4835"],
    ["list.shipments", 1, "list_shipments_acfaf8b5"],
    ["list_shipments", 1, "list_shipments"],
    ["delete", 1, "delete_864f8e6f"],
  ];
  expect(result).toMatchObject({ status: "completed", value: expected });
  const index = run.modelTools[0]?.description.split("\n").filter((line) => / -> /.test(line) && line.startsWith("- "));
  expect(expected.every(([, , name]) => index?.some((line) => line.startsWith(`- ${name} `)))).toBe(true);
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
  const code = `
    const texts = [];
    const note = async (call) => { try { await call(); } catch (error) { texts.push(error.name + ": " + error.message); } };
    await note(() => add_numbers(1, 2));
    await note(() => add_numbers([1]));
    await note(() => catalog.all()[0]("text"));
    await note(() => add_numbers({ a: -1, b: 2 }));
    await note(() => liar_s_tool({}));
    return texts;`;
  await using run = real.openRun({
    tools: [
      ...tools,
      { ...echo, name: "liar's tool", outputSchema: { type: "string" }, execute: () => ({ details: 4_711 }) },
    ],
  });
  const result = await run.exec({ code });
  expect(result).toMatchObject({
    status: "completed",
    value: [
      "TypeError: add_numbers takes one object, but got 2 arguments: pass one object, such as add_numbers({ key: value }).",
      "TypeError: add_numbers takes one object, but got an array: pass one object, such as add_numbers({ key: value }).",
      "TypeError: add_numbers takes one object, but got a string: pass one object, such as add_numbers({ key: value }).",
      "ToolError: Invalid input for add_numbers: /a must be at least 0.",
      "ToolError: liar_s_tool has run, but its result does not match its output schema: The value must be a string.",
    ],
  });
  expect(await run.exec({ code: "await liar_s_tool({});" })).toMatchObject({
    status: "failed",
    calls: [{ name: "liar_s_tool", status: "failed" }],
  });
});

test("CAT-09: a denied tool has no global, no handle, no match, no declaration, and no name or number calls it", async () => {
  const called: string[] = [];
  const spy = (name: string): ToolDescriptor => ({ ...echo, name, execute: () => ({ details: called.push(name) }) });
  await using run = real.openRun({
    tools: [{ ...spy("secret_write"), id: "host:secret_write" }, spy("read")],
    mcp: [
      {
        name: "vault",
        tools: ["open", "burn"].map((name) => ({ name, description: `To ${name} it.`, inputSchema: {} })),
        callTool: async (name) => ({ content: [{ type: "text", text: String(called.push(name)) }] }),
      },
    ],
  });
  run.narrow((name) => name === "read" || name === "MCP.vault.open");
  const code = `
    const refused = [];
    for (const guess of ["secret_write", "host:secret_write", 0, 1, 99]) {
      try { await read(guess); } catch (error) { refused.push(error.name); }
    }
    const files = await Promise.all((await API.list()).map(async ({ path }) => (await API.read(path)).includes("burn")));
    return [
      typeof secret_write, "burn" in MCP.vault, typeof MCP.vault.open, catalog.all().map((handle) => handle.toolName),
      await catalog.search("secret_write"), await catalog.search("burn"), files, refused.length,
    ];`;
  const result = await run.exec({ code });
  expect(result).toMatchObject({
    status: "completed",
    value: ["undefined", false, "function", ["read"], [], [], [false, false], 5],
  });
  expect(called).toEqual([]);
  expect(run.modelTools[0]?.description).not.toMatch(/secret_write|burn/);
});

test("SURF-05: two runs of one host never see, find or call each other's tools", async () => {
  const called: string[] = [];
  const owned = (owner: string): ToolDescriptor => ({
    ...echo,
    name: `tool_of_${owner}`,
    description: `Belongs to ${owner}.`,
    execute: (_input, { call }) => ({ details: called.push(`${owner} ${call.scope.agentRunId}`) }),
  });
  await using ann = real.openRun({ tools: [owned("ann")], scope: { agentRunId: "ann", sessionId: "s" } });
  await using ben = real.openRun({ tools: [owned("ben")], scope: { agentRunId: "ben", sessionId: "s" } });
  const look = (own: string, other: string): string => `
    await yield_control("meanwhile");
    return [
      typeof tool_of_${other}, catalog.all().map((handle) => handle.callableName),
      (await catalog.search("tool of ${other}")).map((handle) => handle.callableName),
      await tool_of_${own}({}),
    ];`;
  const waiting = await Promise.all([ann.exec({ code: look("ann", "ben") }), ben.exec({ code: look("ben", "ann") })]);
  const [annId, benId] = waiting.map((result) => (result.status === "waiting" ? result.runId : ""));
  expect(await ben.wait({ runId: annId ?? "" })).toMatchObject({
    status: "failed",
    error: "code mode run belongs to a different agent run.",
  });
  expect(await ann.wait({ runId: annId ?? "" })).toMatchObject({
    value: ["undefined", ["tool_of_ann"], [], 1],
  });
  expect(await ben.wait({ runId: benId ?? "" })).toMatchObject({
    value: ["undefined", ["tool_of_ben"], [], 2],
  });
  expect(called).toEqual(["ann ann", "ben ben"]);
});

test("SURF-06: a client tool appended during a run is callable in new cells, and a parked cell goes on", async () => {
  await using run = real.openRun({ tools });
  const parked = await run.exec({
    code: `await yield_control("later"); return [typeof late_tool, (await add_numbers({ a: 1, b: 2 })).sum];`,
  });
  const { counterScope, catalogSize } = run.telemetry();
  run.appendTools([
    { ...echo, name: "late-tool", source: "client", description: "Comes late.", execute: () => ({ details: "late" }) },
  ]);
  const fresh = await run.exec({
    code: `const [found] = await catalog.search("comes late"); return [await late_tool({}), found.callableName, found.source];`,
  });
  expect(fresh).toMatchObject({ status: "completed", value: ["late", "late_tool", "client"] });
  expect(await run.wait({ runId: parked.status === "waiting" ? parked.runId : "" })).toMatchObject({
    status: "completed",
    value: ["undefined", 3],
  });
  expect(run.telemetry()).toMatchObject({ counterScope, catalogSize: catalogSize + 1 });
  expect(run.modelTools[0]?.description).toContain("- late_tool unknown -> ?");
});
