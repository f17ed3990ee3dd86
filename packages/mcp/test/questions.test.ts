import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  createCodeMode,
  type ApprovalGate,
  type CodeMode,
  type CodeModeResult,
  type ElicitationQuestion,
} from "@codemode/core";
import { connectMcpServers, type McpConnection, type McpLogEntry } from "../src/index.js";
import { connectFixture } from "./connect-fixture.js";
import { openEverythingOverHttp, publishedServer } from "./published-servers.js";

/** Somebody who is asked, and what was asked. */
interface Person {
  readonly gate: ApprovalGate;
  readonly asked: { readonly name: string; readonly question: ElicitationQuestion; readonly signal: AbortSignal }[];
}

/** Somebody who allows every call and answers every question so. */
function person(answer: Awaited<ReturnType<ApprovalGate>> | ReturnType<ApprovalGate>): Person {
  const asked: Person["asked"] = [];
  const gate: ApprovalGate = async ({ callableName }, { signal, question }) => {
    if (question === undefined) return "allow";
    asked.push({ name: callableName, question, signal });
    return answer;
  };
  return { gate, asked };
}

let codeMode: CodeMode;
const ends: (() => unknown)[] = [];
beforeAll(() => {
  codeMode = createCodeMode({ config: { timeoutMs: 60_000 } });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => codeMode.close());

async function connectAsking(logged: McpLogEntry[] = []): Promise<McpConnection> {
  const connection = await connectFixture(
    "asks.mjs",
    {},
    { elicitation: true, onLog: (entry) => void logged.push(entry) },
  );
  ends.push(() => connection.close());
  return connection;
}

let runs = 0;
function open(connection: McpConnection, gate: ApprovalGate | undefined) {
  const run = codeMode.openRun({
    scope: { agentRunId: `run-${(runs += 1)}`, sessionId: "session" },
    tools: [],
    mcp: connection.servers,
    ...(gate === undefined ? {} : { approve: gate }),
  });
  ends.push(() => run.close());
  return run;
}

const valueOf = (result: CodeModeResult): unknown => (result.status === "completed" ? result.value : result);
const told = (code: string): string => `JSON.parse((await ${code}).content[0].text)`;
const FORM = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const never = new Promise<never>(() => {});

test("MCP-14: a server's question reaches the gate with its call, and the answer reaches the server", async () => {
  const connection = await connectAsking();
  const { gate, asked } = person({ answer: { n: 7 } });
  const result = await open(connection, gate).exec({ code: told("MCP.fixture.ask({})") });
  expect(valueOf(result)).toEqual([{ action: "accept", content: { n: 7 } }]);
  expect(asked).toEqual([
    {
      name: "MCP.fixture.ask",
      question: { mode: "form", message: "How many?", requestedSchema: FORM },
      signal: expect.any(AbortSignal) as unknown,
    },
  ]);
});

test("MCP-14: a denial declines, and a gate that knows of calls only, or none at all, cancels", async () => {
  const logged: McpLogEntry[] = [];
  const connection = await connectAsking(logged);
  const ask = async (gate: ApprovalGate | undefined): Promise<unknown> =>
    valueOf(await open(connection, gate).exec({ code: told("MCP.fixture.ask({})") }));
  expect(await ask(person({ deny: "no" }).gate)).toEqual([{ action: "decline" }]);
  expect(await ask(async () => "allow")).toEqual([{ action: "cancel" }]);
  expect(await ask(undefined)).toEqual([{ action: "cancel" }]);
  expect(logged).toEqual([
    {
      server: "fixture",
      level: "warning",
      logger: "codemode",
      text: "its question was cancelled: nobody can be asked: the run has no approval gate",
    },
  ]);
});

test("MCP-14: a server hears whether it may ask; one that asks all the same is refused", async () => {
  const asking = await connectAsking();
  const silent = await connectFixture("asks.mjs");
  ends.push(() => silent.close());
  const { gate, asked } = person({ answer: { n: 7 } });
  const code = `[${told("MCP.fixture.capabilities({})")}]`;
  expect(valueOf(await open(asking, gate).exec({ code }))).toEqual([{ elicitation: { form: {} } }]);
  expect(valueOf(await open(silent, gate).exec({ code }))).toEqual([{}]);
  expect(valueOf(await open(silent, gate).exec({ code: told("MCP.fixture.ask({})") }))).toEqual([
    { code: -32_601, message: "Method not found" },
  ]);
  expect(asked).toEqual([]);
});

test("MCP-14: a question that cannot be shown is refused with the reason, one by URL as well", async () => {
  const connection = await connectAsking();
  const { gate, asked } = person({ answer: { n: 7 } });
  const run = open(connection, gate);
  const ask = async (question: object): Promise<unknown> =>
    valueOf(await run.exec({ code: told(`MCP.fixture.ask({ question: ${JSON.stringify(question)} })`) }));
  expect(await ask({ message: "x".repeat(4_001), requestedSchema: FORM })).toEqual([
    { code: -32_602, message: "The question's message has 4001 characters, and 4000 are allowed." },
  ]);
  expect(
    await ask({ message: "x", requestedSchema: { type: "object", properties: { a: { type: "object" } } } }),
  ).toEqual([{ code: -32_602, message: expect.stringMatching(/^Invalid elicitation request: /) as unknown }]);
  expect(await ask({ mode: "url", message: "x", url: "https://example.com/", elicitationId: "1" })).toEqual([
    { code: -32_602, message: "Client does not support URL-mode elicitation requests" },
  ]);
  expect(asked).toEqual([]);
});

test("MCP-14: a question while two runs call the server is asked of neither", async () => {
  const logged: McpLogEntry[] = [];
  const connection = await connectAsking(logged);
  const [first, second] = [person({ answer: { n: 1 } }), person({ answer: { n: 2 } })];
  const other = open(connection, second.gate);
  const hanging = other.exec({ code: "await Promise.all([MCP.fixture.hang({}), MCP.fixture.capabilities({})])" });
  // The server says nothing of a call that hangs; the one sent after it was answered.
  await expect
    .poll(() => other.trajectory().some(({ status }) => status === "completed"), { timeout: 15_000 })
    .toBe(true);
  const run = open(connection, first.gate);
  expect(valueOf(await run.exec({ code: told("MCP.fixture.ask({})") }))).toEqual([{ action: "cancel" }]);
  await other.close();
  await hanging;
  expect([first.asked, second.asked]).toEqual([[], []]);
  expect(logged.map(({ text }) => text)).toEqual([
    "its question was cancelled: it may belong to requests of several runs, and a question does not say to which",
  ]);
});

test("MCP-14: of many questions at once four are asked", async () => {
  const logged: McpLogEntry[] = [];
  const connection = await connectAsking(logged);
  const isRest = (): boolean => logged.length === 2;
  const { gate, asked } = person(vi.waitUntil(isRest, { timeout: 15_000 }).then(() => ({ answer: { n: 7 } })));
  const result = await open(connection, gate).exec({ code: told("MCP.fixture.ask({ count: 6 })") });
  const actions = (valueOf(result) as { action: string }[]).map(({ action }) => action).sort();
  expect(actions).toEqual(["accept", "accept", "accept", "accept", "cancel", "cancel"]);
  expect(asked).toHaveLength(4);
});

test("MCP-14: the time limit of a call stands still while a person is asked, and no longer", async () => {
  const connection = await connectFixture("asks.mjs", {}, { elicitation: true, callTimeoutMs: 1_000 });
  ends.push(() => connection.close());
  const gate: ApprovalGate = async (_, { question }) => {
    if (question === undefined) return "allow";
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return { answer: { n: 7 } };
  };
  const run = open(connection, gate);
  const code = `const answer = ${told("MCP.fixture.ask({})")}; return [answer, await MCP.fixture.hang({}).catch(String)]`;
  expect(valueOf(await run.exec({ code }))).toEqual([
    [{ action: "accept", content: { n: 7 } }],
    'CodeModeError: MCP server "fixture" is too slow: tool "hang" gave neither an answer nor a sign of progress for 1000 ms. ' +
      "It was told to cancel it and takes other requests; allow more time with callTimeoutMs, or ask for less.",
  ]);
});

test("MCP-14: a call that took too long may still ask, so for a minute no other run is asked in its place", async () => {
  const logged: McpLogEntry[] = [];
  const connection = await connectFixture(
    "asks.mjs",
    {},
    { elicitation: true, callTimeoutMs: 300, onLog: (entry) => void logged.push(entry) },
  );
  ends.push(() => connection.close());
  const [first, second] = [person({ answer: { n: 1 } }), person({ answer: { n: 2 } })];
  await open(connection, first.gate).exec({ code: "await MCP.fixture.hang({}).catch(() => {})" });
  const run = open(connection, second.gate);
  expect(valueOf(await run.exec({ code: told("MCP.fixture.ask({})") }))).toEqual([{ action: "cancel" }]);
  expect(second.asked).toEqual([]);
  expect(logged.map(({ text }) => text)).toEqual([
    "its question was cancelled: it may belong to requests of several runs, and a question does not say to which",
  ]);
});

test("MCP-14: a server that takes its question back ends the asking", async () => {
  const connection = await connectAsking();
  const { gate, asked } = person(never);
  const run = open(connection, gate);
  const asking = run.exec({ code: told("MCP.fixture.ask({})") });
  await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(1);
  expect(asked[0]?.signal.aborted).toBe(false);
  await run.exec({ code: "await MCP.fixture.withdraw({})" });
  expect(valueOf(await asking)).toEqual(["taken back"]);
  expect(asked[0]?.signal.aborted).toBe(true);
});

test("MCP-14: a cell that is aborted while a person is asked takes the question back", async () => {
  const connection = await connectAsking();
  const { gate, asked } = person(never);
  const controller = new AbortController();
  const asking = open(connection, gate).exec({ code: "await MCP.fixture.ask({})" }, { signal: controller.signal });
  await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(1);
  controller.abort();
  expect(await asking).toMatchObject({ status: "failed", code: "aborted" });
  expect(asked[0]?.signal.aborted).toBe(true);
});

test("MCP-14: a request for prompts may ask too, for its own run", async () => {
  const connection = await connectAsking();
  const { gate, asked } = person({ answer: { n: 7 } });
  // Its answer is no list, and that is said; what counts is who was asked.
  const result = await open(connection, gate).exec({ code: "await MCP.fixture.prompts.list().catch(String)" });
  expect(valueOf(result)).toMatch(/has no prompts array/);
  expect(asked.map(({ name }) => name)).toEqual(["MCP.fixture.prompts.list"]);
});

test("MCP-14: a result that asks for input in the way of a later protocol is an error, and no result", async () => {
  const connection = await connectAsking();
  const { gate } = person({ answer: { n: 7 } });
  const code = "await MCP.fixture.inputRequired({}).catch(String)";
  expect(valueOf(await open(connection, gate).exec({ code }))).toBe(
    'CodeModeError: MCP server "fixture" sent an unreadable result: it asks for input by its result, which this version ' +
      "of the protocol does not have.",
  );
});

const everything = (): string => publishedServer("@modelcontextprotocol/server-everything");

/** The published server over HTTP. */
async function serveEverything(): Promise<string> {
  const { url, child } = await openEverythingOverHttp();
  ends.push(() => child.kill("SIGKILL"));
  return url;
}

test.each(["stdio", "http"])(
  "MCP-14: the published server over %s asks its form, and gets what the person filled in",
  { timeout: 60_000 },
  async (way) => {
    const entry =
      way === "http" ? { url: await serveEverything() } : { command: process.execPath, args: [everything(), "stdio"] };
    const connection = await connectMcpServers({ mcpServers: { everything: entry } }, { elicitation: true });
    ends.push(() => connection.close());
    const answer = { name: "Kim", check: true, integer: 7, untitledMultipleSelectEnum: ["Piano", "Drums"] };
    const { gate, asked } = person({ answer });
    const result = await open(connection, gate).exec({
      code: "(await MCP.everything.triggerElicitationRequest({})).content.at(-1).text",
    });
    expect(valueOf(result)).toBe(`\nRaw result: ${JSON.stringify({ action: "accept", content: answer }, null, 2)}`);
    expect(asked.map(({ question }) => question.message)).toEqual(["Please provide inputs for the following fields:"]);
  },
);
