import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeModeConfigInput } from "@codemode/config";
import type { CodeModeResult, ToolDescriptor } from "@codemode/protocol";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { deferred, tool } from "./fakes/test-host.js";

const echo = tool("echo", (input) => input);
const add = tool("add", ({ a, b }: { a: number; b: number }) => a + b);

function plain({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

async function runCell(
  code: string,
  tools: readonly ToolDescriptor[] = [echo, add],
  config: CodeModeConfigInput = {},
): Promise<CodeModeResult> {
  await using run = real.openRun({ tools }, config);
  return await run.exec({ code });
}

test("EXEC-04: tools are called in loops, joined and run in parallel inside one exec", async () => {
  const code = `
    let sum = 0;
    for (const n of [1, 2, 3]) sum = await add({ a: sum, b: n });
    const [x, y] = await Promise.all([echo({ x: sum }), echo({ y: sum * 2 })]);
    return { ...x, ...y };`;
  expect(plain(await runCell(code))).toEqual({ status: "completed", value: { x: 6, y: 12 } });
});

test("EXEC-05: a hundred sequential awaits under maxPendingToolCalls 1 complete in one exec", async () => {
  const code = "let sum = 0; for (let i = 0; i < 100; i++) sum = await add({ a: sum, b: 1 }); return sum;";
  const result = await runCell(code, [add], { maxPendingToolCalls: 1 });
  expect(plain(result)).toEqual({ status: "completed", value: 100 });
  expect(result.telemetry.callCount).toBe(100);
});

test("EXEC-06: output keeps the guest's order, and no value is null", async () => {
  const code = 'text("a"); json({ b: 1 }); await echo({}); text("c");';
  expect(plain(await runCell(code))).toEqual({
    status: "completed",
    value: null,
    output: [
      { type: "text", text: "a" },
      { type: "json", value: { b: 1 } },
      { type: "text", text: "c" },
    ],
  });
});

test("EXEC-07: a detached call is drained exactly once before completion", async () => {
  const gate = deferred();
  const calls: number[] = [];
  const late = tool("late", async ({ n }: { n: number }) => {
    calls.push(n);
    await gate.promise;
  });
  setTimeout(() => gate.resolve(null), 50);
  const code = 'void late({ n: 1 }).then(() => text("drained")); return "value";';
  expect(plain(await runCell(code, [late]))).toEqual({
    status: "completed",
    value: "value",
    output: [{ type: "text", text: "drained" }],
  });
  expect(calls).toEqual([1]);
});

test.each([
  ["an unawaited call", 'void fail({}); return "ok";'],
  ["a timer", 'setTimeout(() => { throw new RangeError("from a timer"); }, 5); return "ok";'],
])("EXEC-08: an unhandled rejection of %s fails the cell", async (_name, code) => {
  const fail = tool("fail", () => {
    throw new RangeError("from a tool");
  });
  expect(await runCell(code, [fail])).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/^RangeError: from a/) as string,
  });
});

test("EXEC-09: a promise that can never settle fails at once", async () => {
  const startedAt = performance.now();
  expect(plain(await runCell("await new Promise(() => {})"))).toEqual({
    status: "failed",
    error: "Error: code mode promise is pending without host work",
    failurePhase: "guest",
    calls: [],
  });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("EXEC-11, ERR-01: a caught failure leaves the cell running; an uncaught one tells what may have happened", async () => {
  const fail = tool("fail", () => {
    throw Object.assign(new RangeError("no"), { code: "refused", secret: () => "host" });
  });
  const caught = `
    try { await fail({}); } catch (error) {
      return [error.name, error.message, error.code, error.secret === undefined, error instanceof Error];
    }`;
  expect(plain(await runCell(caught, [fail]))).toEqual({
    status: "completed",
    value: ["RangeError", "no", "refused", true, true],
  });
  expect(await runCell("await echo({});\nawait fail({});", [echo, fail])).toMatchObject({
    status: "failed",
    error: "RangeError: no",
    failurePhase: "bridge",
    location: { line: 2 },
    calls: [
      { name: "echo", status: "completed" },
      { name: "fail", status: "failed" },
    ],
  });
});

test("EXEC-10: an uncaught error of a TypeScript cell names the place in the submitted source", async () => {
  await using run = real.openRun({ tools: [echo] });
  const code = 'interface Row { id: number }\nconst row: Row = { id: 1 };\n  throw new RangeError("row");';
  expect(await run.exec({ code, language: "typescript" })).toMatchObject({
    status: "failed",
    error: "RangeError: row",
    failurePhase: "guest",
    location: { line: 3 },
    calls: [],
  });
});

test("OUTC-03: a declared result composes with a second call in one exec", async () => {
  const list = tool("list", () => [{ id: "a" }, { id: "b" }], {
    outputSchema: {
      type: "array",
      items: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
    },
  });
  const code = "const rows = await list({}); return (await echo({ picked: rows[1].id })).picked;";
  expect(plain(await runCell(code, [list, echo]))).toEqual({ status: "completed", value: "b" });
});

test("LIM-04: an oversized value is a completed result with the truncation marker", async () => {
  const result = await runCell('return "é".repeat(5000);', [], { maxOutputBytes: 1_024 });
  const { value } = result as { value: { truncated: true; prefix: string; omittedBytes: number } };
  expect([result.status, value.truncated]).toEqual(["completed", true]);
  expect(value.omittedBytes + Buffer.byteLength(value.prefix)).toBe(10_002);
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(1_024);
});

test("LIM-12: an oversized final value also shows its structure", async () => {
  await using run = real.openRun({}, { maxOutputBytes: 4_096 });
  const code = "return { total: 500, rows: Array.from({ length: 500 }, (_, id) => ({ id, tags: ['a', 'b'] })) };";
  const { status, value } = (await run.exec({ code })) as { status: string; value: Record<string, unknown> };
  expect([status, value.truncated]).toEqual(["completed", true]);
  expect(value.sample).toEqual({ total: 500, rows: [{ id: 0, tags: ["a", "… 1 more items"] }, "… 499 more items"] });
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(4_096);
  const original = JSON.stringify({
    total: 500,
    rows: Array.from({ length: 500 }, (_, id) => ({ id, tags: ["a", "b"] })),
  });
  expect(original.startsWith(value.prefix as string)).toBe(true);
  expect(value.omittedBytes).toBe(original.length - (value.prefix as string).length);
});

test("a promise that was written into a text is warned of", async () => {
  const warnings = ['The result holds "[object Promise]": a call was written into a text before it was awaited.'];
  const user = tool("user", () => "ann");
  await using run = real.openRun({ tools: [user] });
  expect(await run.exec({ code: "return `Hello ${user({})}`" })).toMatchObject({
    value: "Hello [object Promise]",
    warnings,
  });
  expect(await run.exec({ code: "text('Hello ' + user({}))" })).toMatchObject({ value: null, warnings });
  expect(await run.exec({ code: "return `Hello ${await user({})}`" })).not.toHaveProperty("warnings");
});

test("LIM-06: an oversized batch fails the cell even where the guest catches, and nothing was called", async () => {
  const calls: unknown[] = [];
  const count = tool("count", (input) => calls.push(input));
  const code = "try { await Promise.all([1, 2, 3].map((n) => count({ n }))); } catch { return 'caught'; }";
  expect(await runCell(code, [count], { maxPendingToolCalls: 2 })).toMatchObject({
    status: "failed",
    code: "invalid_input",
    failurePhase: "bridge",
    calls: [],
  });
  expect(calls).toEqual([]);
});

test("GUEST-08: leftover timers run for a second and later ones are named", async () => {
  const code = 'setTimeout(() => text("soon"), 20); setTimeout(() => text("never"), 60000); return 1;';
  expect(plain(await runCell(code))).toEqual({
    status: "completed",
    value: 1,
    output: [{ type: "text", text: "soon" }],
    warnings: ["Cancelled 1 timer(s) that would have fired after the result: 60000 ms."],
  });
});

test("CAT-04, CAT-06, MCP-01, MCP-04: catalog, namespaces and declarations reach a cell", async () => {
  const run = real.openRun({
    tools: [tool("ship_order", (input) => input, { description: "Ship an order." })],
    mcp: [
      {
        name: "issue-tracker",
        tools: [{ name: "create_issue", description: "Create.", inputSchema: { type: "object" } }],
        callTool: async (name, args) => ({
          content: [{ type: "text", text: JSON.stringify([name, args]) }],
          _meta: { x: 1 },
        }),
      },
    ],
  });
  const code = `
    const [handle] = await catalog.search("ship order");
    const described = await handle.describe();
    const issue = await MCP.issueTracker.createIssue({ title: "t" });
    const files = (await API.list("mcp")).map((file) => file.path);
    return { all: catalog.all().length, name: described.name, called: await handle({ id: 1 }), issue, files };`;
  expect(plain(await run.exec({ code }))).toEqual({
    status: "completed",
    value: {
      all: 1,
      name: "ship_order",
      called: { id: 1 },
      issue: { content: [{ type: "text", text: '["create_issue",{"title":"t"}]' }] },
      files: expect.arrayContaining(["mcp/index.d.ts"]) as string[],
    },
  });
});
