import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { McpConnection, McpConnectOptions, McpReconnectEvent } from "../src/index.js";
import { callContext, connectFixture, firstServer, textOf } from "./connect-fixture.js";
import { createPidFile, isAlive, type PidFile } from "./pid-file.js";

let pidFile: PidFile;
let now: number;
let events: McpReconnectEvent[];

beforeEach(async () => {
  pidFile = await createPidFile();
  now = 0;
  events = [];
});
afterEach(() => pidFile[Symbol.asyncDispose]());

/** `manners` says, by life from 1, how that goes; see the fixture. */
function connect(manners: Record<number, string> = {}, options: McpConnectOptions = {}): Promise<McpConnection> {
  return connectFixture(
    "lives-again.mjs",
    { args: [JSON.stringify(manners)], env: { PID_FILE: pidFile.path } },
    { clock: { now: () => now }, onReconnect: (event) => void events.push(event), closeGraceMs: 300, ...options },
  );
}

async function lifeOf(connection: McpConnection, signal?: AbortSignal): Promise<string> {
  return textOf(await firstServer(connection).callTool("life", {}, callContext(signal)));
}

/** Of the first life, as the host is told. */
const ended = { server: "fixture", reason: "it exited with code 7", hint: "its last words: Error: life 1 is over" };
const reasonOf = (life: number) => `it exited with code 7; its last words: Error: life ${life} is over`;
const failure = (reason: string, message: string) => ({
  name: "CodeModeError",
  code: "mcp_server_failed",
  message: `MCP server "fixture" is gone${message}`,
  details: { server: "fixture", reason },
});

/** Lets a server that was asked to die be gone. */
async function die(connection: McpConnection, life: number, tool = "die"): Promise<void> {
  await expect(firstServer(connection).callTool(tool, {}, callContext())).rejects.toMatchObject(
    failure(reasonOf(life), `: ${reasonOf(life)}. What it held is lost; the next call connects to it again.`),
  );
  expect(connection.processId("fixture")).toBeUndefined();
}

test("MCP-10: calls after a server's death share one new process, and the host is told once", async () => {
  await using connection = await connect();
  const descriptor = firstServer(connection);
  await die(connection, 1);
  expect(await Promise.all([lifeOf(connection), lifeOf(connection), lifeOf(connection)])).toEqual(["2", "2", "2"]);
  expect(events).toEqual([{ ...ended, attempt: 1 }]);
  const [first = 0, second = 0, ...more] = await pidFile.pids(2);
  expect(more).toEqual([]);
  expect(connection.processId("fixture")).toBe(second);
  expect(await isAlive(first)).toBe(false);
  expect(firstServer(connection)).toBe(descriptor);
  await connection.close();
  expect(await isAlive(second)).toBe(false);
});

test("MCP-10: a server that keeps dying is started at growing intervals, and at once again after a stable life", async () => {
  await using connection = await connect();
  await die(connection, 1);
  expect(await lifeOf(connection)).toBe("2");
  await die(connection, 2);
  now += 100;
  await expect(lifeOf(connection)).rejects.toMatchObject(
    failure(reasonOf(2), `: ${reasonOf(2)}. It may be tried again in 400 ms.`),
  );
  now += 400;
  expect(await lifeOf(connection)).toBe("3");
  await die(connection, 3);
  now += 999;
  await expect(lifeOf(connection)).rejects.toMatchObject(
    failure(reasonOf(3), `: ${reasonOf(3)}. It may be tried again in 1 ms.`),
  );
  now += 1;
  expect(await lifeOf(connection)).toBe("4");
  now += 60_000;
  await die(connection, 4);
  expect(await lifeOf(connection)).toBe("5");
  expect(events.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
});

test("MCP-10: an attempt that fails rejects all who waited for it, and counts", async () => {
  await using connection = await connect({ 2: "exits at start" });
  await die(connection, 1);
  const reason =
    "it exited with code 7 before it was ready; its last words: Error: life 2 is over; run its command in a terminal to see why";
  const failed = failure(reason, ` and could not be connected again: ${reason}. It may be tried again in 500 ms.`);
  const outcomes = await Promise.allSettled([lifeOf(connection), lifeOf(connection)]);
  expect(outcomes).toMatchObject([
    { status: "rejected", reason: failed },
    { status: "rejected", reason: failed },
  ]);
  await expect(lifeOf(connection)).rejects.toMatchObject(
    failure(reason, `: ${reason}. It may be tried again in 500 ms.`),
  );
  expect(await pidFile.pids(2)).toHaveLength(2);
  now += 500;
  expect(await lifeOf(connection)).toBe("3");
  expect(events).toEqual([{ ...ended, attempt: 2 }]);
});

test("MCP-10: an attempt lasts startTimeoutMs at most, and leaves no process", async () => {
  await using connection = await connect({ 2: "hangs" }, { startTimeoutMs: 2_500 });
  await die(connection, 1);
  await expect(lifeOf(connection)).rejects.toMatchObject({
    details: {
      reason:
        "it did not answer initialize within 2500 ms; run its command in a terminal, or allow it more time with startTimeoutMs",
    },
  });
  expect(await Promise.all((await pidFile.pids(2)).map(isAlive))).toEqual([false, false]);
});

test("MCP-10: closing ends an attempt under way: its waiter learns of it, and no process is left", async () => {
  await using connection = await connect({ 2: "hangs" });
  await die(connection, 1);
  const waiting = expect(lifeOf(connection)).rejects.toMatchObject({
    code: "closed",
    message: 'MCP server "fixture" was closed.',
  });
  const pids = await pidFile.pids(2);
  await connection.close();
  await waiting;
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  await expect(lifeOf(connection)).rejects.toMatchObject({ code: "closed" });
  expect(events).toEqual([]);
});

test("MCP-10: a call's signal ends its waiting, not the attempt, even when it was the only one", async () => {
  await using connection = await connect({ 2: "is slow to start" });
  await die(connection, 1);
  const abort = new AbortController();
  const reason = new Error("the user pressed stop");
  const waiting = expect(lifeOf(connection, abort.signal)).rejects.toBe(reason);
  await pidFile.pids(2);
  abort.abort(reason);
  await waiting;
  expect(await lifeOf(connection)).toBe("2");
  expect(await pidFile.pids(2)).toHaveLength(2);
});

test("MCP-10: what is on offer is read again after a restart, and listeners are told when it differs", async () => {
  await using connection = await connect({ 2: "grows" });
  const before = firstServer(connection);
  expect(before.resources).toBeUndefined();
  const changed = new Promise((resolve) => connection.onChange(resolve));
  await die(connection, 1);
  expect(await lifeOf(connection)).toBe("2");
  expect(await changed).toEqual({ server: "fixture" });
  const after = firstServer(connection);
  expect(after.tools.map(({ name }) => name)).toEqual(["life", "slow", "die", "tell_and_die", "new"]);
  expect(await after.resources?.list()).toEqual({ resources: [{ uri: "life://2" }] });
  expect(textOf(await before.callTool("life", {}, callContext()))).toBe("2");
});

test.each([
  ["dies of being listed again", { 2: "dies of listing" }, "life", 2],
  ["says that its tools changed and dies", {}, "tell_and_die", 1],
])("MCP-10: a server that %s is left alone until the next call", async (_what, manners, tool, lives) => {
  await using connection = await connect(manners);
  if (lives === 2) {
    await die(connection, 1);
    expect(await lifeOf(connection)).toBe("2");
    await expect.poll(() => connection.processId("fixture"), { timeout: 5_000 }).toBeUndefined();
  } else await die(connection, 1, tool);
  await delay(600);
  expect(await pidFile.pids(lives)).toHaveLength(lives);
  expect(connection.problems).toEqual([]);
  now += 500;
  expect(await lifeOf(connection)).toBe(String(lives + 1));
});

test("MCP-10: a server killed while calls are under way answers the next call, and sends nothing of them again", async () => {
  await using connection = await connect();
  const slow = firstServer(connection).callTool("slow", {}, callContext());
  process.kill(connection.processId("fixture") ?? Number.NaN, "SIGKILL");
  await expect(slow).rejects.toMatchObject(
    failure(
      "it was ended by SIGKILL",
      ": it was ended by SIGKILL. What it held is lost; the next call connects to it again.",
    ),
  );
  expect(await lifeOf(connection)).toBe("2");
});

test("MCP-10: a server that dies before it was listed at first is a problem, and is not started again", async () => {
  await using connection = await connect({ 1: "dies of listing" });
  expect(connection.servers).toEqual([]);
  expect(connection.problems).toEqual([
    {
      server: "fixture",
      isServerLost: true,
      problem: `it exited with code 7 before it was ready; its last words: Error: life 1 is over; run its command in a terminal to see why`,
    },
  ]);
  expect(connection.processId("fixture")).toBeUndefined();
  expect(await pidFile.pids(1)).toHaveLength(1);
});

test("MCP-10: a listener of restarts that throws is a warning", async () => {
  const warning = once(process, "warning");
  const onReconnect = () => {
    throw new Error("careless listener");
  };
  await using connection = await connect({}, { onReconnect });
  await die(connection, 1);
  expect(await lifeOf(connection)).toBe("2");
  expect(await warning).toEqual([new Error("careless listener")]);
});
