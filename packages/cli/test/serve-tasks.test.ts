import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bin, exec, killFronts, openHttpFront, resultOf } from "./served-front.js";
import { serverFixture } from "./spawn-codemode.js";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "codemode-tasks-")));
  file = join(folder, "mcp.json");
  const fixture = { command: process.execPath, args: [serverFixture] };
  await writeFile(file, JSON.stringify({ mcpServers: { fixture } }));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(killFronts);

async function connect(way: string): Promise<Client> {
  const transport: Transport =
    way === "http"
      ? new StreamableHTTPClientTransport((await openHttpFront(file)).url)
      : new StdioClientTransport({ command: process.execPath, args: [bin, "serve", "--mcp", file], stderr: "ignore" });
  const client = new Client({ name: "older", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

/** A program that waits in between, so that a client without tasks would have to call wait. */
const PROGRAM = `text("before"); await yield_control();
return (await MCP.fixture.slowEcho({ text: "late", ms: 300 })).content[0].text;`;
const WHOLE = { status: "completed", value: "late", output: [{ type: "text", text: "before" }] };

test.each(["stdio", "http"])(
  "E2E-03: an official client over %s runs a program as a task and needs no wait",
  async (way) => {
    const client = await connect(way);
    const { tasks } = client.experimental;
    const { tools } = await client.listTools();
    expect(tools.map(({ name, execution }) => ({ name, execution }))).toEqual([
      { name: "exec", execution: { taskSupport: "optional" } },
      { name: "wait", execution: undefined },
    ]);
    // It sees that exec can be a task, and makes it one by itself.
    const kinds: string[] = [];
    let result: unknown;
    for await (const message of tasks.callToolStream(exec(PROGRAM), CallToolResultSchema, {})) {
      kinds.push(message.type === "taskStatus" ? message.task.status : message.type);
      if (message.type === "result") result = message.result;
    }
    expect([kinds[0], ...kinds.slice(-2)]).toEqual(["taskCreated", "completed", "result"]);
    expect(resultOf(result)).toEqual(WHOLE);
    // The same without a task gives the first part only, as to every client.
    expect(resultOf(await client.callTool(exec(PROGRAM)))).toMatchObject({ status: "waiting", reason: "yield" });
    await client.close();
  },
);

test.each(["stdio", "http"])(
  "E2E-03: an official client over %s polls, fetches, lists and cancels tasks",
  async (way) => {
    const client = await connect(way);
    const { tasks } = client.experimental;
    await client.listTools();
    const start = async (code: string, ttl: number): Promise<string> => {
      for await (const message of tasks.callToolStream(exec(code), CallToolResultSchema, { task: { ttl } })) {
        if (message.type === "taskCreated") return message.task.taskId;
      }
      throw new Error("no task was created");
    };
    const quick = await start(PROGRAM, 60_000);
    expect(await tasks.getTask(quick)).toMatchObject({ taskId: quick, ttl: 60_000, pollInterval: 500 });
    const answer = await tasks.getTaskResult(quick, CallToolResultSchema);
    expect(resultOf(answer)).toEqual(WHOLE);
    expect(answer._meta).toMatchObject({ "io.modelcontextprotocol/related-task": { taskId: quick } });
    const endless = await start('await MCP.fixture.slowEcho({ text: "never", ms: 600000 })', 60_000);
    await expect
      .poll(async () => (await tasks.getTask(endless)).statusMessage, { timeout: 15_000 })
      .toBe("0 calls done, 1 under way: MCP.fixture.slowEcho");
    const fetching = tasks.getTaskResult(endless, CallToolResultSchema);
    expect(await tasks.cancelTask(endless)).toMatchObject({ taskId: endless, status: "cancelled" });
    expect(resultOf(await fetching)).toMatchObject({ status: "failed", code: "aborted" });
    expect((await tasks.listTasks()).tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
      [quick, "completed"],
      [endless, "cancelled"],
    ]);
    await expect(tasks.cancelTask(endless)).rejects.toThrow("The task has ended (cancelled); it cannot be cancelled.");
    await expect(tasks.getTask("another-client's")).rejects.toThrow("There is no task of that id");
    await client.close();
  },
);
