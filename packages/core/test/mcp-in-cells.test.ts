import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpCallResult, McpServerDescriptor, NestedCall } from "@codemode/protocol";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };

const RESULTS: Record<string, McpCallResult> = {
  structured: { content: [text("for people")], structuredContent: { id: 7 } },
  json_text: { content: [text('{"then":1,"__proto__":2}')] },
  two_texts: { content: [text("one"), image, text("two")] },
  nothing: { content: [] },
  only_image: { content: [image] },
  refuses: { content: [text("no such repository"), text("try another")], isError: true },
  refuses_silently: { content: [], isError: true },
};

function docs(more: Partial<McpServerDescriptor> = {}): McpServerDescriptor {
  return {
    name: "docs",
    tools: Object.keys(RESULTS).map((name) => ({
      name,
      description: `Tool ${name}.`,
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      ...(name === "structured" ? { outputSchema: { type: "object", properties: { id: { type: "number" } } } } : {}),
    })),
    callTool: async (name) => RESULTS[name] as McpCallResult,
    resources: {
      list: async (params) => ({ resources: [params ?? null], nextCursor: "2", _meta: { secret: 1 }, other: 1 }),
      read: async (params) => ({ contents: [params], _meta: { secret: 1 } }),
    },
    prompts: {
      list: async () => ({ prompts: [{ name: "brief" }], nextCursor: 5 }),
      get: async (params) => ({ messages: [params], description: "Brief.", other: 1 }),
    },
    ...more,
  };
}

const run = (code: string, server = docs()) => real.openRun({ mcp: [server] }).exec({ code });

test("MCP-02: a result keeps its blocks whole, structuredContent and isError; what else the server adds stays outside", async () => {
  const content = [
    { ...text("seen"), annotations: { audience: ["user"], priority: 0.5 }, _meta: { "app/row": 1 } },
    { type: "resource_link", uri: "note://1", name: "note", _meta: { kept: [1, null] } },
    { type: "resource", resource: { uri: "note://1", text: "remember", _meta: { inner: true } } },
    { ...image, annotations: { priority: 1 }, _meta: { width: 2 } },
    { type: "from_tomorrow", anything: { deep: [{}] } },
  ];
  const answer = {
    content,
    structuredContent: { rows: [{ id: 1, "odd key": null }] },
    isError: true,
    _meta: { secret: "s1" },
    "app/private": { secret: "s2" },
    ui: "s3",
  };
  const server = docs({ callTool: async () => answer });
  const code = `
    const before = await MCP.docs.structured({ path: "a" });
    await yield_control();
    const after = await MCP.docs.structured({ path: "a" });
    return { keys: Object.keys(before), before, isSame: JSON.stringify(before) === JSON.stringify(after) };`;
  await using cells = real.openRun({ mcp: [server] });
  const waiting = await cells.exec({ code });
  const result = await cells.wait({ runId: (waiting as { runId: string }).runId });
  const { structuredContent, isError } = answer;
  expect((result as { value?: unknown }).value).toEqual({
    keys: ["content", "structuredContent", "isError"],
    before: { content, structuredContent, isError },
    isSame: true,
  });
  expect(JSON.stringify([waiting, result])).not.toMatch(/s[123]"/);
});

test("MCP-12: value() gives structuredContent, else parsed JSON text, else text", async () => {
  const result = await run(`
    const { structured, jsonText, twoTexts, nothing, onlyImage } = MCP.docs;
    const json = await jsonText.value({});
    return [await structured.value({}), Object.keys(json), await twoTexts.value({}), await nothing.value({}),
      await onlyImage.value({}), (await structured({})).content[0].text, await MCP.docs["json_text"].value()];`);
  expect(result).toMatchObject({ status: "completed" });
  expect((result as { value: unknown[] }).value.map((part) => JSON.stringify(part))).toEqual([
    '{"id":7}',
    '["then","__proto__"]',
    '"one\\ntwo"',
    '""',
    JSON.stringify([image]),
    '"for people"',
    '{"then":1,"__proto__":2}',
  ]);
});

test("MCP-12: value() throws what a result with isError says, with the place of the call", async () => {
  const caught = await run(`
    return Promise.all([MCP.docs.refuses, MCP.docs.refusesSilently].map((tool) => tool.value({}).catch(String)));`);
  expect(caught).toMatchObject({
    value: [
      "Error: no such repository\ntry another",
      "Error: MCP.docs.refusesSilently reported an error without a text.",
    ],
  });
  expect(await run("const a = 1;\nawait MCP.docs.refuses.value({});")).toMatchObject({
    status: "failed",
    error: "Error: no such repository\ntry another",
    failurePhase: "bridge",
    location: { line: 2 },
    calls: [{ name: "MCP.docs.refuses", status: "completed" }],
  });
});

test("MCP-12: value is made when it is asked for and stays the same; the guest cannot change it", async () => {
  const result = await run(`
    const { structured, nothing } = MCP.docs;
    const value = structured.value;
    const attempts = [() => { structured.value = 1; }, () => { Object.getPrototypeOf(structured).value = 1; }];
    const refused = attempts.map((attempt) => { try { attempt(); return "changed"; } catch (error) { return error.name; } });
    const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(structured), "value");
    const foreign = get.call((input) => nothing(input));
    return [value === structured.value, value === nothing.value, Object.keys(structured), refused, get.call(1) === undefined,
      await foreign({}), await nothing({}), structured.name, (() => 1).value === undefined];`);
  expect(result).toMatchObject({
    value: [true, false, [], ["TypeError", "TypeError"], true, "", { content: [] }, "MCP.docs.structured", true],
  });
});

test("MCP-12: value() takes one object like the call itself, and replaced built-ins change nothing", async () => {
  const result = await run(`
    Array.prototype[Symbol.iterator] = () => { throw new Error("mine"); };
    Function.prototype.call = Function.prototype.bind = Function.prototype.apply = undefined;
    Object.prototype.isError = true;
    Object.prototype.structuredContent = "mine";
    JSON.parse = () => "mine";
    const wrong = await MCP.docs.structured.value("x").catch(String);
    const two = await MCP.docs.structured({}, {}).catch(String);
    return { wrong, two, value: await MCP.docs.twoTexts.value({}) };`);
  const advice = "pass one object, such as MCP.docs.structured({ key: value }).";
  expect(result).toMatchObject({
    value: {
      wrong: `TypeError: MCP.docs.structured takes one object, but got a string: ${advice}`,
      two: `TypeError: MCP.docs.structured takes one object, but got 2 arguments: ${advice}`,
      value: "one\ntwo",
    },
  });
});

test("MCP-03: resources and prompts come in their native shapes, through the host's policy", async () => {
  const seen: Pick<NestedCall, "toolId" | "toolName" | "callableName" | "input">[] = [];
  const codeModeRun = real.openRun({
    mcp: [docs()],
    approve: async ({ toolId, toolName, callableName, input }) => {
      seen.push({ toolId, toolName, callableName, input });
      return toolName === "prompts/list" ? { deny: "not these" } : "allow";
    },
  });
  const result = await codeModeRun.exec({
    code: `const { resources, prompts } = MCP.docs;
      return [await resources.list(), await resources.list({ cursor: "2" }), await resources.read({ uri: "memo://one" }),
        await prompts.get({ name: "brief", arguments: { topic: "release" } }), await prompts.list().catch(String),
        Object.keys(MCP.docs), "get" in resources, String(prompts.list.value)];`.replace(
      "typeof resources.get",
      "'get' in resources",
    ),
  });
  expect(result).toMatchObject({
    value: [
      { resources: [{}], nextCursor: "2" },
      { resources: [{ cursor: "2" }], nextCursor: "2" },
      { contents: [{ uri: "memo://one" }] },
      { messages: [{ name: "brief", arguments: { topic: "release" } }], description: "Brief." },
      "ToolError: not these",
      [
        "structured",
        "jsonText",
        "twoTexts",
        "nothing",
        "onlyImage",
        "refuses",
        "refusesSilently",
        "resources",
        "prompts",
      ],
      false,
      "undefined",
    ],
  });
  expect(Object.keys((result as { value: object[] }).value[2] as object)).toEqual(["contents"]);
  expect(seen[2]).toEqual({
    toolId: "mcp:docs::resources/read",
    toolName: "resources/read",
    callableName: "MCP.docs.resources.read",
    input: { uri: "memo://one" },
  });
  expect(result.telemetry).toMatchObject({ catalogSize: 7, sources: { mcp: 7 }, callCount: 5 });
});

test("MCP-03, MCP-14: aborting a cell aborts its requests for resources and prompts", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const abort = new AbortController();
  const waitForAbort = (_params: unknown, control?: { signal?: AbortSignal }) => {
    signals.push(control?.signal);
    if (signals.length === 4) abort.abort();
    return new Promise<never>(() => {});
  };
  const server = docs({
    resources: { list: waitForAbort, read: waitForAbort },
    prompts: { list: waitForAbort, get: waitForAbort },
  });
  const code = `const { resources, prompts } = MCP.docs;
    await Promise.all([resources.list(), resources.read({ uri: "memo://one" }), prompts.list(), prompts.get({ name: "brief" })]);`;
  const result = await real.openRun({ mcp: [server] }).exec({ code }, { signal: abort.signal });
  expect(result).toMatchObject({ status: "failed", code: "aborted" });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true, true]);
});

test("MCP-03: a server without resources has none, an answer of another shape is an error, and narrowing takes them away", async () => {
  const { resources: _, ...others } = docs({ prompts: { list: async () => ({ nope: 1 }), get: async () => null } });
  const shapes = await run(
    `return ["resources" in MCP.docs, ...await Promise.all([MCP.docs.prompts.list(), MCP.docs.prompts.get({})].map((call) => call.catch(String)))];`,
    others,
  );
  expect(shapes).toMatchObject({
    value: [
      false,
      "TypeError: The MCP server's answer to prompts/list has no prompts array but undefined.",
      "TypeError: The MCP server's answer to prompts/get has no messages array but undefined.",
    ],
  });
  const narrowed = real.openRun({ mcp: [docs()] });
  narrowed.narrow((name) => name !== "MCP.docs.prompts");
  expect(await narrowed.exec({ code: `return ["resources" in MCP.docs, "prompts" in MCP.docs];` })).toMatchObject({
    value: [true, false],
  });
});

test("MCP-06: $api() gives the header without a call, and one tool with its schemas on request", async () => {
  const result = await run(`
    const { $api } = MCP.docs;
    const whole = await $api();
    return { whole: { ...whole, header: whole.header === await API.read("mcp/docs.d.ts") },
      one: await $api("jsonText"), raw: await $api("json_text", { schema: false }), full: await $api("structured", { schema: true }),
      wrong: await $api("strucured").catch(String), number: await $api(1).catch(String), odd: await $api("nothing", { schema: 1 }).catch(String),
      frozen: Object.isFrozen(whole), listed: Object.keys(MCP.docs).includes("$api") };`);
  const one = {
    namespace: "MCP.docs",
    path: "mcp/docs.d.ts",
    header:
      '/**\n * Tool json_text.\n * Tool name: "json_text"\n */\nfunction jsonText(input: { path: string }): Promise<McpToolResult>;',
    tool: { name: "json_text", callableName: "MCP.docs.jsonText", description: "Tool json_text." },
  };
  expect((result as { value?: unknown }).value).toEqual({
    whole: { namespace: "MCP.docs", path: "mcp/docs.d.ts", header: true },
    one,
    raw: one,
    full: {
      namespace: "MCP.docs",
      path: "mcp/docs.d.ts",
      header:
        "/**\n * Tool structured.\n */\nfunction structured(input: { path: string }): Promise<McpToolResult<{ id?: number }>>;",
      tool: { name: "structured", callableName: "MCP.docs.structured", description: "Tool structured." },
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      outputSchema: { type: "object", properties: { id: { type: "number" } } },
    },
    wrong: 'TypeError: MCP.docs has no "strucured". Did you mean MCP.docs.structured?',
    number: "TypeError: MCP.docs.$api takes a tool's name as text.",
    odd: "TypeError: $api takes { schema: true }, but schema is 1.",
    frozen: true,
    listed: false,
  });
  expect(result.telemetry).toMatchObject({ describeCount: 3, callCount: 0 });
});

test("MCP-08: awaiting, printing and prototype names never call a tool and never hang", async () => {
  const calls: string[] = [];
  const then = { name: "then", inputSchema: { type: "object" } };
  const server = docs({
    tools: [then, { ...then, name: "constructor" }, { ...then, name: "ping" }],
    callTool: async (name) => {
      calls.push(name);
      return { content: [] };
    },
  });
  const result = await run(
    `const all = [MCP, MCP.docs, MCP.docs.resources, MCP.docs.ping, MCP.docs.ping.value, MCP.docs.$api, API, catalog];
    const awaited = [];
    for (const one of all) awaited.push((await one) === one);
    const names = ["then", "toJSON", "valueOf", "toString", "constructor", "prototype", "__proto__", "catch", "finally"];
    for (const one of all) for (const name of names) void one[name];
    for (const one of all) { for (const use of [() => \`\${one}\`, () => one == 1, () => one + 1]) { try { use(); } catch {} } JSON.stringify(one); }
    Promise.resolve(MCP.docs).then(() => {});
    console.log(MCP, MCP.docs);
    return awaited;`,
    server,
  );
  expect(result).toMatchObject({ status: "completed", value: Array.from({ length: 8 }, () => true) });
  expect(calls).toEqual([]);
});

test("MCP-08: as text a namespace says what it is", async () => {
  const result = await run(
    "return [`${MCP}`, String(MCP.docs), MCP.docs.resources + '', `${catalog} ${API}`, MCP.docs == 'x', +MCP];",
  );
  expect(result).toMatchObject({
    status: "completed",
    value: [
      "[object MCP]",
      "[object MCP.docs]",
      "[object MCP.docs.resources]",
      "[object catalog] [object API]",
      false,
      null,
    ],
  });
});
