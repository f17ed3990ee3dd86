import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { connectFixture, fixturePath } from "./connect-fixture.js";
import { createPidFile, isAlive, type PidFile } from "./pid-file.js";

/** Where the bundled host finds this package's dependencies. */
const hostFolder = fileURLToPath(new URL("../node_modules/.cache/no-orphans", import.meta.url));
const hostFile = join(hostFolder, "abrupt-host.mjs");
let pidFile: PidFile;

beforeAll(() =>
  build({
    entryPoints: [fixturePath("abrupt-host.ts")],
    outfile: hostFile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@codemode/source"],
    external: ["@modelcontextprotocol/client"],
  }),
);
afterAll(() => rm(hostFolder, { recursive: true }));

beforeEach(async () => void (pidFile = await createPidFile()));
afterEach(() => pidFile[Symbol.asyncDispose]());

/** Those still alive after a patience that is ample for a process that was told to end. */
async function survivors(all: readonly number[]): Promise<number[]> {
  let alive = [...all];
  for (let tries = 0; tries < 100 && alive.length > 0; tries += 1) {
    const states = await Promise.all(alive.map(isAlive));
    alive = alive.filter((_, index) => states[index]);
    if (alive.length > 0) await delay(20);
  }
  for (const pid of alive) process.kill(pid, "SIGKILL");
  return alive;
}

test("MCP-10: close ends a server that goes when its input ends", async () => {
  const connection = await connectFixture("paginates.mjs", { env: { PID_FILE: pidFile.path } });
  const started = await pidFile.pids(1);
  await connection.close();
  expect(await Promise.all(started.map(isAlive))).toEqual([false]);
});

test("MCP-10: close ends a server that ignores its input and SIGTERM, with its helper", async () => {
  const connection = await connectFixture("stubborn.mjs", { env: { PID_FILE: pidFile.path } }, { closeGraceMs: 200 });
  const started = await pidFile.pids(2);
  await connection.close();
  expect(await survivors(started)).toEqual([]);
});

test("MCP-10: a server that could not be listed leaves no process behind", async () => {
  const options = { startTimeoutMs: 3_000, closeGraceMs: 200 };
  const connection = await connectFixture("hangs-at-list.mjs", { env: { PID_FILE: pidFile.path } }, options);
  expect(connection.servers).toEqual([]);
  expect(await Promise.all((await pidFile.pids(1)).map(isAlive))).toEqual([false]);
});

test.each([
  ["process.exit", undefined, { code: 0, signal: null }],
  ["throw", undefined, { code: 1, signal: null }],
  ["SIGTERM", "SIGTERM", { code: null, signal: "SIGTERM" }],
  ["SIGINT", "SIGINT", { code: null, signal: "SIGINT" }],
  ["own SIGTERM handler", "SIGTERM", { code: 9, signal: null }],
] as const)("MCP-10: a host that ends by %s leaves neither server nor helper", async (manner, signal, expected) => {
  const host = spawn(process.execPath, [hostFile, fixturePath("stubborn.mjs"), manner], {
    env: { ...process.env, PID_FILE: pidFile.path },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(host, "exit");
  expect(String((await once(host.stdout, "data"))[0])).toBe("connected 1\n");
  if (signal !== undefined) {
    await pidFile.pids(2);
    host.kill(signal);
  }
  const [code, by] = (await ended) as [number | null, string | null];
  expect({ code, signal: by }).toEqual(expected);
  expect(await survivors(await pidFile.pids(manner === "process.exit" || manner === "throw" ? 1 : 2))).toEqual([]);
});
