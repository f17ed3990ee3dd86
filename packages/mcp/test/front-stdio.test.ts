import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeModeEvent } from "@codemode/core";
import type { McpConnection } from "../src/index.js";
import { connectTwoServers, expectAllEnded, openStdioFront, resultOf } from "./front-client.js";

let connection: McpConnection;
beforeAll(async () => {
  connection = await connectTwoServers();
});
afterAll(() => connection.close());

/** A first cell waits for its worker thread, and this machine may have other things to do. */
const PATIENCE = { timeout: 15_000 };
const exec = (code: string) => ({ name: "exec", arguments: { code } });

test("E2E-03: an official client lists exec and wait, with instructions and the servers behind", async () => {
  const { client, front } = await openStdioFront({ connection });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, title }) => ({ name, title }))).toEqual([
    { name: "exec", title: "Run a program" },
    { name: "wait", title: "Go on with a program" },
  ]);
  expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["code"] });
  expect(tools[0]?.description).toContain("\n- Servers: MCP.slow (7 functions), MCP.changing (3 functions).");
  expect(client.getInstructions()).toMatch(/^Use exec to work with the tools of 2 MCP servers: /);
  await front.close();
  expect(front.sessions()).toBe(0);
});

test("E2E-03: a cell over two servers gives text and the same structured content", async () => {
  const { client, front, events } = await openStdioFront({ connection });
  const answer = await client.callTool(
    exec(`const [a, b] = await Promise.all([MCP.slow.cancelled({}), MCP.changing.tell({})]);
text("read both");
return [a.content[0].text, b.content[0].text];`),
  );
  const result = {
    status: "completed",
    value: ["[]", "tell"],
    output: [{ type: "text", text: "read both" }],
  };
  expect(resultOf(answer)).toEqual(result);
  expect(answer).toMatchObject({
    structuredContent: result,
    _meta: { "codemode/telemetry": { callCount: 2, sources: { mcp: 10 } } },
  });
  expect(answer.isError).toBeUndefined();
  expect(events).toEqual([
    { type: "session-open", session: 1 },
    ...["cancelled", "tell"].map((): unknown => ({
      type: "nested-call",
      session: 1,
      name: expect.stringMatching(/^MCP\.(slow\.cancelled|changing\.tell)$/) as unknown,
      status: "completed",
      durationMs: expect.any(Number) as unknown,
    })),
    { type: "tool-call", session: 1, tool: "exec", status: "completed", durationMs: expect.any(Number) as unknown },
  ]);
  await front.close();
});

test("E2E-03: a failed cell is an error with its code, and an unknown tool is refused", async () => {
  const { client, front } = await openStdioFront({ connection });
  const failed = await client.callTool(exec('import "fs"'));
  expect(failed.isError).toBe(true);
  expect(resultOf(failed)).toMatchObject({ status: "failed", code: "invalid_input", failurePhase: "input" });
  expect(resultOf(await client.callTool({ name: "wait", arguments: { runId: "cm_unknown" } }))).toMatchObject({
    status: "failed",
    error: "code mode run is unavailable or expired.",
  });
  await expect(client.callTool({ name: "MCP.slow.never", arguments: {} })).rejects.toThrow(
    "There is no tool of that name; call exec or wait.",
  );
  await front.close();
});

test("E2E-03: a cell that hands control back waits, and wait goes on without calling anything twice", async () => {
  const { client, front, events } = await openStdioFront({ connection });
  const code = `const first = MCP.slow.later({ key: "stdio" });
await yield_control("a look around");
const value = (await first).content[0].text;
return value + ", once";`;
  const waiting = resultOf(await client.callTool(exec(code)));
  expect(waiting).toMatchObject({
    status: "waiting",
    reason: "yield",
    pendingToolCalls: [{ name: "MCP.slow.later" }],
  });
  const still = client.callTool({ name: "wait", arguments: { runId: waiting["runId"] } });
  await client.callTool(exec('await MCP.slow.release({ key: "stdio" })'));
  expect(resultOf(await still)).toEqual({ status: "completed", value: "late stdio, once" });
  expect(events.filter((event) => event.type === "nested-call" && event.name === "MCP.slow.later")).toHaveLength(1);
  await front.close();
});

test("E2E-03: progress tells of nested calls, only a client that asked, with rising numbers", async () => {
  const { client, front } = await openStdioFront({ connection });
  const told: { progress: number; message?: string | undefined }[] = [];
  const slow = client.callTool(exec('await MCP.slow.later({ key: "told" })'), {
    onprogress: (progress) => told.push(progress),
  });
  await expect.poll(() => told.at(-1)?.message, PATIENCE).toBe("0 calls done, 1 under way: MCP.slow.later");
  await client.callTool(exec('await MCP.slow.release({ key: "told" })'));
  await slow;
  expect(told[0]).toEqual({ progress: 1, message: "running" });
  expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index + 1));
  await front.close();
});

test("MCP-14, E2E-03: progress of a server behind shows in the front's own, while the cell runs", async () => {
  const { client, front } = await openStdioFront({ connection });
  const abort = new AbortController();
  const told: { progress: number; message?: string | undefined }[] = [];
  const call = client.callTool(exec("await MCP.slow.measured({})"), {
    signal: abort.signal,
    onprogress: (progress) => {
      told.push(progress);
      if (progress.message?.includes("of 100") === true) abort.abort("seen");
    },
  });
  await expect(call).rejects.toThrow("seen");
  expect(told.at(-1)).toEqual({
    progress: told.length,
    message: "0 calls done, 1 under way: MCP.slow.measured (40 of 100, scan ning)",
  });
  await front.close();
});

test("E2E-03: a cancelled call ends the cell, and the server behind is told", async () => {
  const { client, front, events } = await openStdioFront({ connection });
  const abort = new AbortController();
  const call = client.callTool(exec("await MCP.slow.never({})"), {
    signal: abort.signal,
    onprogress: ({ message = "" }) => {
      if (message.includes("MCP.slow.never")) abort.abort("the user pressed stop");
    },
  });
  await expect(call).rejects.toThrow("the user pressed stop");
  const seen = async (): Promise<unknown> =>
    resultOf(await client.callTool(exec("(await MCP.slow.cancelled({})).content[0].text")))["value"];
  await expect.poll(seen, PATIENCE).toContain("The cell that made this call has ended.");
  expect(events).toContainEqual({
    type: "tool-call",
    session: 1,
    tool: "exec",
    status: "failed",
    code: "aborted",
    durationMs: expect.any(Number) as unknown,
  });
  await front.close();
});

test("E2E-03: images in a result are content blocks, and their text says where they are", async () => {
  const { client, front } = await openStdioFront({ connection });
  const answer = await client.callTool(
    exec("const shot = await MCP.slow.picture({}); json(shot.content[1]); return shot"),
  );
  const picture = { type: "image", data: "bm90IHJlYWxseSBhIHBpY3R1cmU=", mimeType: "image/png" };
  const note = (place: number) => ({ type: "image", mimeType: "image/png", bytes: 20, shownAs: `content[${place}]` });
  expect(answer.content.slice(1)).toEqual([picture, picture]);
  expect(resultOf(answer)).toMatchObject({
    value: { content: [{ type: "text", text: "a picture" }, note(1)] },
    output: [{ type: "json", value: note(2) }],
  });
  await front.close();
});

test("MCP-13, E2E-03: a block handed on with image() is a content block of the answer", async () => {
  const { client, front } = await openStdioFront({ connection });
  const answer = await client.callTool(exec("image((await MCP.slow.picture({})).content[1]); return 1"));
  expect(answer.content.slice(1)).toEqual([
    { type: "image", data: "bm90IHJlYWxseSBhIHBpY3R1cmU=", mimeType: "image/png" },
  ]);
  expect(resultOf(answer)).toMatchObject({
    value: 1,
    output: [{ type: "image", mimeType: "image/png", bytes: 20, shownAs: "content[1]" }],
  });
  await front.close();
});

test("E2E-03: a client of the newest protocol, which probes before it opens, has the same session all along", async () => {
  const { client, front } = await openStdioFront({ connection }, { versionNegotiation: { mode: "auto" } });
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const waiting = resultOf(
    await client.callTool(exec("await yield_control(); return (await MCP.changing.tell({})).content")),
  );
  expect(waiting).toMatchObject({ status: "waiting", reason: "yield" });
  expect(resultOf(await client.callTool({ name: "wait", arguments: { runId: waiting["runId"] } }))).toMatchObject({
    status: "completed",
    value: [{ type: "text", text: "tell" }],
  });
  expect(front.sessions()).toBe(1);
  await front.close();
});

test("E2E-03: a server behind that changes its tools is told on, and new cells see them", async () => {
  const { client, front } = await openStdioFront({ connection });
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
  });
  await client.callTool(exec("await MCP.changing.grow({})"));
  await changed;
  expect((await client.listTools()).tools[0]?.description).toContain("MCP.changing (4 functions)");
  expect(resultOf(await client.callTool(exec("(await MCP.changing.grown3({})).content[0].text")))).toMatchObject({
    value: "grown_3",
  });
  await front.close();
});

test("E2E-03: a client that vanishes ends its running and parked cells, the threads and the front", async () => {
  const inside: CodeModeEvent[] = [];
  const codeMode = { onEvent: (event: CodeModeEvent) => void inside.push(event) };
  const { client, front, vanish, events } = await openStdioFront({ connection, codeMode });
  const parked = await client.callTool(exec('MCP.slow.never({}); await yield_control("later")'));
  expect(resultOf(parked)["status"]).toBe("waiting");
  await new Promise<void>((resolve) => {
    const running = client.callTool(exec("await MCP.slow.never({}); for (;;) {}"), {
      onprogress: ({ message = "" }) => {
        if (message.includes("MCP.slow.never")) resolve();
      },
    });
    running.catch(() => {});
  });
  vanish();
  await front.closed;
  expect(front.sessions()).toBe(0);
  expect(events).toContainEqual({ type: "session-close", session: 1, reason: "the client has gone" });
  expect(events.at(-1)).toMatchObject({ type: "tool-call", status: "failed", code: "aborted" });
  expectAllEnded(inside, { cells: 2 });
});

test("SEC-04: events hold names and times, and no source, input or result", async () => {
  const { client, front, events, write } = await openStdioFront({ connection });
  write('{"jsonrpc":"2.0","method":"hidden-method"');
  write('{"jsonrpc":"2.0","method":{"hidden":true}}');
  await client.callTool(exec('await MCP.slow.release({ key: "hidden-input" }); return "hidden-value"'));
  await client.callTool(exec('throw new Error("hidden-error")'));
  expect(events.filter(({ type }) => type === "refused")).not.toEqual([]);
  expect(JSON.stringify(events)).not.toContain("hidden");
  await front.close();
});
