import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as OlderTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bin, exec, isGone, killFronts, openHttpFront, resultOf } from "./served-front.js";
import { codemode, serverFixture } from "./spawn-codemode.js";

const SECRET = "secret-of-the-environment";
const TOKEN = "token-of-this-test-only";
let folder: string;
let mcpFile: string;
let fixtureFile: string;
let pidFile: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "codemode-serve-")));
  pidFile = join(folder, "pids");
  await writeFile(join(folder, "note.txt"), "remember the milk");
  mcpFile = join(folder, "mcp.json");
  fixtureFile = join(folder, "fixture.json");
  const node = process.execPath;
  const everything = { command: node, args: [serverScript("everything"), "stdio"] };
  const files = { command: node, args: [serverScript("filesystem"), folder] };
  await writeFile(mcpFile, JSON.stringify({ mcpServers: { everything, files } }));
  const fixture = { command: node, args: [serverFixture], env: { PID_FILE: pidFile, SECRET } };
  await writeFile(fixtureFile, JSON.stringify({ mcpServers: { fixture } }));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(killFronts);

function serverScript(name: string): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist", "index.js");
}

async function openStdio(file: string, capabilities: ClientCapabilities = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve", "--mcp", file],
    env: { ...process.env, CODEMODE_TOKEN: TOKEN },
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const client = new Client({ name: "tester", version: "1.0.0" }, { capabilities });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0, log: () => log };
}

/** `codemode serve --http`, over the fixture server unless told otherwise. */
const openHttp = (env?: Record<string, string>, file = fixtureFile) => openHttpFront(file, env);

test("E2E-03: an official client starts codemode serve and works with two real servers behind it", async () => {
  const { client, pid, log } = await openStdio(mcpFile);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["exec", "wait"]);
  const told: (string | undefined)[] = [];
  const answer = await client.callTool(
    exec(`const [sum, note] = await Promise.all([
  MCP.everything.getSum({ a: 19, b: 23 }),
  MCP.files.readTextFile({ path: ${JSON.stringify(join(folder, "note.txt"))} }),
]);
return [sum.content[0].text, note.content[0].text];`),
    { onprogress: ({ message }) => told.push(message) },
  );
  expect(resultOf(answer)).toEqual({
    status: "completed",
    value: ["The sum of 19 and 23 is 42.", "remember the milk"],
  });
  expect(told[0]).toBe("running");
  const waiting = resultOf(
    await client.callTool(
      exec(`const slow = MCP.everything.triggerLongRunningOperation({ duration: 2, steps: 2 });
await yield_control("it takes two seconds");
return (await slow).content[0].text;`),
    ),
  );
  expect(waiting).toMatchObject({ status: "waiting", reason: "yield" });
  const wait = { name: "wait", arguments: { runId: waiting["runId"] } };
  expect(resultOf(await client.callTool(wait, { onprogress: ({ message }) => told.push(message) }))).toEqual({
    status: "completed",
    value: "Long running operation completed. Duration: 2 seconds, Steps: 2.",
  });
  expect(told).toContain("0 calls done, 1 under way: MCP.everything.triggerLongRunningOperation (1 of 2)");
  const image = await client.callTool(exec("return await MCP.everything.getTinyImage({})"));
  expect(image.content.map((block) => block.type)).toEqual(["text", "image"]);
  await client.close();
  expect(await isGone(pid)).toBe(true);
  expect(log()).toMatch(/^codemode: serving 28 tools of 2 MCP servers on standard input\n/);
  expect(log()).toMatch(/\ncodemode: session 1: MCP\.everything\.getSum completed after \d+ ms\n/);
});

test.each(["stdio", "http"])(
  "E2E-03: a client of the SDK before, over %s, lists, runs, sees progress and cancels",
  async (way) => {
    const served = way === "http" ? await openHttp() : undefined;
    const transport: OlderTransport =
      served === undefined
        ? new OlderStdioTransport({
            command: process.execPath,
            args: [bin, "serve", "--mcp", fixtureFile],
            stderr: "ignore",
          })
        : new OlderHttpTransport(served.url);
    const client = new OlderClient({ name: "older", version: "1.0.0" });
    await client.connect(transport);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["exec", "wait"]);
    const told: (string | undefined)[] = [];
    const options = { onprogress: ({ message }: { message?: string | undefined }) => told.push(message) };
    const answer = await client.callTool(
      exec("(await MCP.fixture.add({ a: 1, b: 2 })).structuredContent"),
      undefined,
      options,
    );
    expect(resultOf(answer)).toEqual({ status: "completed", value: { sum: 3 } });
    expect(told[0]).toBe("running");
    const abort = new AbortController();
    const slow = client.callTool(exec('await MCP.fixture.slowEcho({ text: "late", ms: 60000 })'), undefined, {
      signal: abort.signal,
      onprogress: ({ message = "" }) => {
        if (message.includes("slowEcho")) abort.abort("stop");
      },
    });
    await expect(slow).rejects.toThrow("stop");
    expect(resultOf(await client.callTool(exec("6 * 7")))).toMatchObject({ value: 42 });
    await client.close();
    await served?.end();
  },
);

const FORM_MESSAGE = "MCP.everything.triggerElicitationRequest asks: Please provide inputs for the following fields:";
const askThroughForm = exec("(await MCP.everything.triggerElicitationRequest({})).content.at(-1).text");
const toldOf = (answer: object): object => ({
  status: "completed",
  value: `\nRaw result: ${JSON.stringify(answer, null, 2)}`,
});

test("MCP-14: the form of a real server behind is filled in by the client that started codemode serve", async () => {
  const { client, pid, log } = await openStdio(mcpFile, { elicitation: { form: {} } });
  const asked: string[] = [];
  const answer = { action: "accept" as const, content: { name: "Kim", check: true } };
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return answer;
  });
  expect(resultOf(await client.callTool(askThroughForm))).toEqual(toldOf(answer));
  expect(asked).toEqual([FORM_MESSAGE]);
  await client.close();
  await isGone(pid);
  expect(log()).toMatch(
    /\ncodemode: session 1: MCP\.everything\.triggerElicitationRequest asked the client: accept after \d+ ms\n/,
  );
  expect(log()).not.toContain("Kim");
});

test("MCP-14: a client of the SDK before, over HTTP, declines the form of a real server behind", async () => {
  const served = await openHttp({}, mcpFile);
  const client = new OlderClient({ name: "older", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "decline" };
  });
  const transport: OlderTransport = new OlderHttpTransport(served.url);
  await client.connect(transport);
  expect(resultOf(await client.callTool(askThroughForm))).toEqual(toldOf({ action: "decline" }));
  expect(asked).toEqual([FORM_MESSAGE]);
  await client.close();
  await served.end();
});

test("E2E-03: a client that ends without a word leaves no server, no cell and no process", async () => {
  // A client's death closes the pipes of the servers it started; nothing else tells them.
  const child = spawn(process.execPath, [bin, "serve", "--mcp", fixtureFile], { stdio: ["pipe", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const send = (message: object): unknown => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "doomed", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  const call = 'MCP.fixture.slowEcho({ text: "late", ms: 60000 });';
  send({ id: 2, method: "tools/call", params: exec(`${call} await yield_control()`) });
  await expect.poll(() => log, { timeout: 15_000 }).toContain("session 1: exec waiting");
  send({ id: 3, method: "tools/call", params: exec("for (;;) {}") });
  await delay(200);
  const ended = once(child, "exit");
  child.stdin.end();
  child.stdout.destroy();
  expect(await ended).toEqual([0, null]);
  expect(log).toContain("session 1 closed: the client has gone");
  const [server = 0] = (await readFile(pidFile, "utf8")).trim().split("\n").map(Number).slice(-1);
  expect(await isGone(server)).toBe(true);
});

test("E2E-03: an official client that is killed in the middle leaves no process behind", async () => {
  const doomed = fileURLToPath(new URL("./fixtures/doomed-client.mjs", import.meta.url));
  const child = spawn(process.execPath, [doomed, bin, fixtureFile], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let log = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  await expect.poll(() => said, { timeout: 15_000 }).toMatch(/^front \d+\n/);
  const front = Number(/\d+/.exec(said)?.[0]);
  const [server = 0] = (await readFile(pidFile, "utf8")).trim().split("\n").map(Number).slice(-1);
  expect([front, server].map(isRunning)).toEqual([true, true]);
  child.kill("SIGKILL");
  expect(await Promise.all([isGone(front), isGone(server)])).toEqual([true, true]);
  await expect
    .poll(() => ({
      closed: log.includes("codemode: session 1 closed: the client has gone\n"),
      programs: log.match(/session 1: exec failed \(aborted\)/g)?.length,
      calls: log.match(/MCP\.fixture\.slowEcho failed/g)?.length,
    }))
    .toEqual({ closed: true, programs: 2, calls: 2 });
});

function isRunning(pid: number): boolean {
  return process.kill(pid, 0);
}

test("SEC-04: the log holds no token, environment, program, input or result", async () => {
  const { client, log, pid } = await openStdio(fixtureFile);
  await client.callTool(exec('await MCP.fixture.slowEcho({ text: "hidden-input", ms: 1 }); return "hidden-value"'));
  await client.callTool(exec('throw new Error("hidden-error")'));
  await client.close();
  await isGone(pid);
  expect(log()).toContain("session 1: exec failed");
  for (const hidden of [SECRET, TOKEN, "hidden"]) expect(log()).not.toContain(hidden);
});

test("E2E-03: codemode serve --http serves official clients with the token, and SIGTERM ends it", async () => {
  const served = await openHttp({ CODEMODE_TOKEN: TOKEN });
  const withToken = (token: string) =>
    new StreamableHTTPClientTransport(served.url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  const client = new Client({ name: "tester", version: "1.0.0" });
  await expect(client.connect(withToken(`${TOKEN}x`))).rejects.toThrow();
  const admitted = new Client({ name: "tester", version: "1.0.0" });
  await admitted.connect(withToken(TOKEN));
  expect(resultOf(await admitted.callTool(exec("(await MCP.fixture.add({ a: 1, b: 2 })).isError")))).toMatchObject({
    status: "completed",
  });
  expect(await served.end()).toEqual([143, null]);
  await admitted.close();
  expect(served.out()).toBe("");
  expect(served.log()).toContain("codemode: refused: 401: the bearer token is not the one that is asked for\n");
  expect(served.log()).toContain("codemode: ended by SIGTERM; closing the sessions and the servers.\n");
  expect(served.log()).not.toContain(TOKEN);
});

test.each([
  [["serve"], "codemode: --mcp is missing; name the file with your MCP servers.\n"],
  [
    ["serve", "--mcp", "fixture", "--http", "0", "--host", "0.0.0.0"],
    'codemode: --host "0.0.0.0" can be reached from other machines, so a token is needed; give one, or listen on 127.0.0.1; the token comes from CODEMODE_TOKEN.\n',
  ],
])("E2E-03: %j is told what to do", async (args, message) => {
  const { code, out, err } = await codemode(args.map((word) => (word === "fixture" ? fixtureFile : word)));
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: message });
});

test("E2E-03: with no server that can be used nothing is served", async () => {
  const broken = join(folder, "broken.json");
  await writeFile(broken, JSON.stringify({ mcpServers: { absent: { command: "no-such-command-anywhere" } } }));
  expect(await codemode(["serve", "--mcp", broken], { isInputOpen: true })).toEqual({
    code: 3,
    out: "",
    err:
      'codemode: MCP server "absent": command "no-such-command-anywhere" was not found; install it or correct mcpServers.absent.command.\n' +
      "codemode: no MCP server could be used; mend them as said above, then serve again.\n",
  });
});
