import { setTimeout as delay } from "node:timers/promises";
import type { Client, JSONRPCMessage } from "@modelcontextprotocol/client";
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  type TaskEnabledSession,
} from "@modelcontextprotocol/ext-tasks/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpConnection, McpFrontEvent } from "../src/index.js";
import { connectTwoServers, openStdioFront, resultOf } from "./front-client.js";

let connection: McpConnection;
beforeAll(async () => {
  connection = await connectTwoServers();
});
afterAll(() => connection.close());

const EXTENSION = "io.modelcontextprotocol/tasks";
const PATIENCE = { timeout: 15_000 };

interface TaskClient {
  readonly client: Client;
  /** The official requester of tasks, on top of the official client. */
  readonly session: TaskEnabledSession;
  /** One request as it stands, with the capabilities of its client. */
  ask(method: string, params: object, extensions?: object): Promise<unknown>;
  readonly events: readonly McpFrontEvent[];
  end(): Promise<void>;
}

async function openTaskClient(): Promise<TaskClient> {
  const { client, front, events } = await openStdioFront({ connection }, { versionNegotiation: { mode: "auto" } });
  const rawDispatch = dispatchOver(client);
  const framing = (extensions: object) => ({
    protocolVersion: "2026-07-28",
    clientInfo: { name: "tester", version: "1.0.0" },
    clientCapabilities: { extensions: { ...extensions } },
  });
  const session = createTaskSessionFromClient(client, {
    endpointId: "front",
    rawDispatch,
    v2RequestFraming: framing({ [EXTENSION]: {} }),
  });
  return {
    client,
    session,
    events,
    async ask(method, params, extensions = { [EXTENSION]: {} }) {
      const { protocolVersion, clientInfo, clientCapabilities } = framing(extensions);
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": protocolVersion,
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
      };
      const response = await rawDispatch({ method, params: { ...params, _meta } });
      return response.kind === "result" ? response.result : response.error;
    },
    async end() {
      await session.close();
      await front.close();
    },
  };
}

/** Sends requests of its own between those of the client, whose library knows no results of extensions. */
function dispatchOver({ transport }: Client): RawClientDispatch {
  if (transport === undefined) throw new Error("The client is not connected.");
  const open = new Map<string, (message: { result?: never; error?: never }) => void>();
  const forClient = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const id = "id" in message ? String(message.id) : "";
    const settle = open.get(id);
    open.delete(id);
    if (settle === undefined) forClient?.(message, extra);
    else settle(message as { result?: never; error?: never });
  };
  let sent = 0;
  return (request) =>
    new Promise((resolve, reject) => {
      const id = `raw-${(sent += 1)}`;
      open.set(id, ({ result, error }) =>
        resolve(error === undefined ? { kind: "result", result: result as never } : { kind: "error", error }),
      );
      transport.send({ jsonrpc: "2.0", id, ...(request as object) } as JSONRPCMessage).catch(reject);
    });
}

const exec = (code: string) => ({ name: "exec", arguments: { code } });

test("E2E-03: a program that ends in time is no task for a client that takes tasks", async () => {
  const { session, end } = await openTaskClient();
  const execution = await session.callTool("exec", { code: "return 1 + 1" });
  const { outcome, lastTask } = await execution.settle();
  expect(lastTask).toBeUndefined();
  expect(outcome.status === "completed" && resultOf(outcome.result)).toMatchObject({ status: "completed", value: 2 });
  await end();
});

test("E2E-03: a program that waits becomes a task, whose result is that of the whole program", async () => {
  const { client, ask, events, end } = await openTaskClient();
  const created = (await ask(
    "tools/call",
    exec(`text("first"); await yield_control(); text("second");
    const [late] = await Promise.all([MCP.slow.later({ key: "extension" }), MCP.slow.picture({}).then(({ content }) => image(content[1]))]);
    return late.content[0].text;`),
  )) as { taskId: string };
  const { taskId } = created;
  const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
  const shape = { taskId, createdAt: iso, lastUpdatedAt: iso, ttlMs: 900_000, pollIntervalMs: 500 };
  expect(created).toEqual({
    ...shape,
    resultType: "task",
    status: "working",
    content: [],
    _meta: expect.anything() as unknown,
  });
  const working = { ...shape, status: "working", statusMessage: "1 call done, 1 under way: MCP.slow.later" };
  await expect.poll(() => ask("tasks/get", { taskId }), PATIENCE).toMatchObject({ ...working, resultType: "complete" });
  expect(await ask("tasks/update", { taskId, inputResponses: {} })).toMatchObject({ resultType: "complete" });
  await client.callTool(exec('await MCP.slow.release({ key: "extension" })'));
  await expect
    .poll(async () => ((await ask("tasks/get", { taskId })) as { status: string }).status, PATIENCE)
    .toBe("completed");
  const { result, ...task } = (await ask("tasks/get", { taskId })) as { result: unknown };
  expect(task).toMatchObject({ ...shape, status: "completed", resultType: "complete" });
  expect(result).toMatchObject({ resultType: "complete" });
  expect(resultOf(result)).toEqual({
    status: "completed",
    value: "late extension",
    output: [
      { type: "text", text: "first" },
      { type: "text", text: "second" },
      { type: "image", mimeType: "image/png", bytes: 20, shownAs: "content[1]" },
    ],
  });
  const told = events.flatMap((event) => (event.type === "tool-call" ? [`${event.tool} ${event.status}`] : []));
  expect(told.sort()).toEqual(["exec completed", "exec waiting", "wait completed"]);
  await end();
});

test("E2E-03: the official requester follows a task to its end, and cancels one", async () => {
  const { session, client, end } = await openTaskClient();
  const failing = await session.callTool("exec", {
    code: 'await yield_control(); throw new TypeError("no such luck")',
  });
  const failed = await failing.settle();
  expect(failed.lastTask).toMatchObject({ status: "completed", statusMessage: "TypeError: no such luck" });
  expect(failed.outcome.status === "completed" && failed.outcome.result).toMatchObject({ isError: true });
  const endless = await session.callTool("exec", { code: "await yield_control(); await MCP.slow.never({})" });
  const settled = endless.settle();
  await delay(200);
  await endless.cancel();
  expect((await settled).outcome.status).toBe("cancelled");
  const cancels = async (): Promise<unknown[]> =>
    JSON.parse(
      String(resultOf(await client.callTool(exec("return (await MCP.slow.cancelled({})).content[0].text")))["value"]),
    ) as unknown[];
  await expect.poll(async () => (await cancels()).length, PATIENCE).toBeGreaterThan(0);
  await end();
});

test("E2E-03: a client that does not announce the extension waits itself, and is told what its requests lack", async () => {
  const { client, ask, end } = await openTaskClient();
  const waiting = resultOf(await client.callTool(exec("await yield_control(); return 1")));
  expect(waiting).toMatchObject({ status: "waiting" });
  const lacking = { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } };
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    expect(await ask(method, { taskId: "x", inputResponses: {} }, {})).toMatchObject(lacking);
    expect(await ask(method, { taskId: "x", inputResponses: {} })).toMatchObject({
      code: -32602,
      message: "There is no task of that id, or its time to live is over.",
    });
    expect(await ask(method, { taskId: 7 })).toMatchObject({ code: -32602 });
  }
  await end();
});
