import { existsSync } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeModeCompletedResult } from "@codemode/protocol";
import { makePipe } from "./make-pipe.js";
import { codemode, serverFixture } from "./spawn-codemode.js";

let folder: string;
let pidFile: string;
let mcpFile: string;
let brokenFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-cli-"));
  pidFile = join(folder, "pids");
  const fixture = { command: process.execPath, args: [serverFixture], env: { PID_FILE: pidFile } };
  mcpFile = await write("mcp.json", JSON.stringify({ mcpServers: { fixture } }));
  brokenFile = await write(
    "broken.json",
    JSON.stringify({ mcpServers: { absent: { command: "no-such-command-anywhere" }, fixture } }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    if (stat === undefined ? !isSignalled(pid) : /\) Z /.test(stat)) return true;
    await delay(20);
  }
  return false;
}

function isSignalled(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("EXEC-01: the value of a cell from standard input is all of standard output", async () => {
  const { code, out, err } = await codemode(["run"], { input: "text('said'); return { answer: 6 * 7 }" });
  expect({ code, out }).toEqual({ code: 0, out: 'said\n{\n  "answer": 42\n}\n' });
  expect(err).toMatch(/^completed in [\d.]+ m?s: [\d.]+ m?s in the cell, [\d.]+ m?s waiting for tools\n$/);
});

test("MCP-10: a cell calls a server's tools side by side; --json is the result itself", async () => {
  const cell = await write(
    "sum.ts",
    `const sums: { sum: number }[] = (await Promise.all([
       MCP.fixture.add({ a: 1, b: 2 }),
       MCP.fixture.add({ a: 3, b: 4 }),
     ])).map((result) => result.structuredContent);
     return sums.map(({ sum }) => sum);`,
  );
  const { code, out, err } = await codemode(["run", cell, "--mcp", mcpFile, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const result = JSON.parse(out) as CodeModeCompletedResult;
  expect(result).toMatchObject({
    status: "completed",
    value: [3, 7],
    telemetry: { callCount: 2, sources: { mcp: 3 } },
  });
  expect(out).toBe(`${JSON.stringify(result)}\n`);
});

test("MCP-10: nested calls are listed with their times; a server that dies is a caught error, and the next call finds it connected again", async () => {
  const input = `
    const { content } = await MCP.fixture.slowEcho({ text: "late", ms: 30 });
    const caught = await MCP.fixture.die({}).catch((error) => error.message);
    return [content[0].text, caught, (await MCP.fixture.add({ a: 1, b: 2 })).structuredContent.sum];`;
  const { code, out, err } = await codemode(["run", "-", "--mcp", mcpFile], { input });
  expect(code).toBe(0);
  const gone =
    'MCP server "fixture" is gone: it exited with code 7. What it held is lost; the next call connects to it again.';
  expect(JSON.parse(out)).toEqual(["late", gone, 3]);
  expect(err).toMatch(
    /^codemode: MCP server "fixture": it exited with code 7; it was connected again, and what it held is lost\.\ncompleted MCP\.fixture\.slowEcho {2}[\d.]+ m?s, started at [\d.]+ m?s\nfailed {4}MCP\.fixture\.die {7}[\d.]+ m?s, started at/,
  );
  expect(err).toContain(`CodeModeError: ${gone}\n`);
});

test("MCP-14: what servers log is shown when it is asked for, and only then", async () => {
  const run = (...flags: string[]) =>
    codemode(["run", "--mcp", mcpFile, ...flags], {
      input: "(await MCP.fixture.add({ a: 1, b: 2 })).structuredContent.sum",
    });
  const shown = await run("--server-logs");
  expect(shown).toMatchObject({ code: 0, out: "3\n" });
  expect(shown.err).toContain(
    'codemode: MCP server "fixture" logs warning (calls): {"name":"add","input":{"a":1,"b":2}}\n',
  );
  expect((await run()).err).not.toContain("logs");
});

test("WAIT-01: a yielding cell is continued to its end", async () => {
  const { code, out, err } = await codemode(["run"], { input: 'await yield_control("pause"); return "continued"' });
  expect({ code, out }).toEqual({ code: 0, out: "continued\n" });
  expect(err).toContain("continued once by wait\n");
});

test("a cell that fails is one line with its place and code 1", async () => {
  const { code, out, err } = await codemode(["run"], { input: "text('before');\nnothing.at.all" });
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "before\n",
    err: "failed at line 2, column 1: ReferenceError: nothing is not defined\n",
  });
});

test("the time limit ends a cell and its call with code 4", async () => {
  const input = 'return MCP.fixture.slowEcho({ text: "never", ms: 600000 })';
  const { code, out, err } = await codemode(["run", "--timeout", "1000", "--mcp", mcpFile], { input });
  expect({ code, out }).toEqual({ code: 4, out: "" });
  expect(err).toContain("codemode: the time limit of 1000 ms has passed; allow more with --timeout.\n");
});

test("a server that cannot start is one line, the others go on, and the code is 3", async () => {
  const input = "return (await MCP.fixture.add({ a: 1, b: 1 })).structuredContent.sum";
  const { code, out, err } = await codemode(["run", "--json", "--mcp", brokenFile], { input });
  expect(JSON.parse(out)).toMatchObject({ status: "completed", value: 2 });
  expect({ code, err }).toEqual({
    code: 3,
    err: 'codemode: MCP server "absent": command "no-such-command-anywhere" was not found; install it or correct mcpServers.absent.command.\n',
  });
});

test.each([
  ["an unknown flag", ["--bogus"], 'codemode: there is no option "--bogus"; see codemode run --help.\n'],
  ["a missing file", ["absent.js"], "codemode: absent.js was not found; check the path.\n"],
  [
    "a missing configuration",
    ["--mcp", "absent.json"],
    'codemode: absent.json: the file was not found; check the path, or create it with { "mcpServers": { … } }.\n',
  ],
])("%s is one line and code 2", async (_what, args, line) => {
  expect(await codemode(["run", ...args], { input: "return 1" })).toEqual({ code: 2, out: "", err: line });
});

test("no source and a malformed configuration are one line and code 2", async () => {
  expect(await codemode(["run"])).toEqual({
    code: 2,
    out: "",
    err: "codemode: standard input is empty; write the program there.\n",
  });
  const malformed = await write("malformed.json", '{\n  "mcpServers": {,}\n}');
  expect(await codemode(["run", "--mcp", malformed], { input: "return 1" })).toEqual({
    code: 2,
    out: "",
    err: `codemode: ${malformed}: the file is not JSON at line 2, column 18; correct it there (comments and trailing commas are not JSON).\n`,
  });
});

test("a Node that is too old is told so before anything else", async () => {
  const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";
  const nodeArgs = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
  expect(await codemode(["run", "--bogus"], { nodeArgs })).toEqual({
    code: 2,
    out: "",
    err: "codemode needs Node.js 20.19 or newer, and this is 18.20.4; install a newer one from https://nodejs.org.\n",
  });
});

test("OWN-06: an interrupt closes the cell and its servers and gives code 130", async () => {
  await rm(pidFile, { force: true });
  const { code, out, err } = await codemode(["run", "--mcp", mcpFile], {
    input: 'text("started"); return MCP.fixture.slowEcho({ text: "never", ms: 600000 })',
    onStart: (child) => void interruptOnce(child.kill.bind(child)),
  });
  expect({ code, out, err }).toEqual({
    code: 130,
    out: "",
    err: "codemode: ended by SIGINT; closing the cell and its servers.\n",
  });
  const pids = (await readFile(pidFile, "utf8")).trim().split("\n").map(Number);
  expect(await Promise.all(pids.map(isGone))).toEqual([true]);
});

const readEnded = "codemode: ended by SIGINT; nothing was run.\n";

test("OWN-06: an interrupt while standard input is read gives code 130", async () => {
  const ended = await codemode(["run", "-"], {
    isInputOpen: true,
    // More than the pipe holds: it is written once the program reads.
    onStart: (child) => child.stdin?.write("x".repeat(4_000_000), () => child.kill("SIGINT")),
  });
  expect(ended).toEqual({ code: 130, out: "", err: readEnded });
});

test("OWN-06: an interrupt while a pipe blocks the reading thread ends the program", async () => {
  const fifo = join(folder, "fifo");
  makePipe(fifo);
  const ended = codemode(["run", fifo], {
    // The writer's end opens once the program has opened the other one.
    onStart: (child) =>
      void open(fifo, "w").then(async (writer) => {
        child.once("close", () => void writer.close());
        await delay(200);
        child.kill("SIGINT");
      }),
  });
  const { code, out, err } = await ended;
  expect({ out, err }).toEqual({ out: "", err: readEnded });
  // By the signal itself when the thread was blocked, else with its code: a shell sees the same.
  expect([null, 130]).toContain(code);
});

test("output that cannot be written is one line and code 5", async () => {
  await using full = await open("/dev/full", "w");
  const ended = await codemode(["run", "--json"], { input: "return 1", stdout: full.fd });
  expect(ended).toEqual({ code: 5, out: "", err: "codemode: standard output could not be written (ENOSPC).\n" });
});

/** Interrupts once the server is up and the call had time to begin. */
async function interruptOnce(kill: (signal: NodeJS.Signals) => void): Promise<void> {
  while (!existsSync(pidFile)) await delay(20);
  await delay(500);
  kill("SIGINT");
}
