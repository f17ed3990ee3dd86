import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import { fakeDependencies, fakeIo, telemetry, type Step } from "../test/fake-program.js";
import { main } from "./main.js";

const completed: CodeModeResult = { status: "completed", value: 42, telemetry };
const waiting: CodeModeResult = { status: "waiting", runId: "cm_1", reason: "yield", telemetry };
const failed: CodeModeResult = { status: "failed", error: "Error: no", failurePhase: "guest", telemetry };
const aborted: CodeModeResult = {
  status: "failed",
  error: "aborted",
  code: "aborted",
  failurePhase: "host",
  telemetry,
};
/** A step that lasts until its call is aborted. */
const untilAborted: Step = (signal) =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(aborted), { once: true }));
const closed = ["run closed", "code mode closed"];
const lost = { server: "files", isServerLost: true, problem: "it exited with code 1; run its command" };

test("a cell is run and everything is closed, servers before code mode", async () => {
  const io = fakeIo({ stdin: "return 42" });
  const { log, dependencies } = fakeDependencies([completed]);
  expect(await main(["run", "-", "--mcp", "mcp.json", "--start-timeout", "500"], io, dependencies)).toBe(0);
  expect(log).toEqual([
    { config: { timeoutMs: 60_000, maxToolResultBytes: 4_194_304 } },
    { connect: ["mcp.json"], startTimeoutMs: 500 },
    { exec: { code: "return 42", language: "javascript" }, servers: ["mcp.json"] },
    "run closed",
    "servers closed",
    "code mode closed",
  ]);
  expect([io.out(), io.err()]).toEqual(["42\n", "completed in 0.0 ms\n"]);
});

test("MCP-10: a server that is connected again is one line, without the server's own words", async () => {
  const io = fakeIo({ stdin: "return 42" });
  const reconnects = [
    { server: "files", reason: "it exited with code 7", hint: "its last words: key 123", attempt: 2 },
  ];
  const { dependencies } = fakeDependencies([completed], { reconnects });
  expect(await main(["run", "-", "--mcp", "mcp.json"], io, dependencies)).toBe(0);
  expect(io.err()).toBe(
    'codemode: MCP server "files": it exited with code 7; it was connected again, and what it held is lost.\n' +
      "completed in 0.0 ms\n",
  );
});

test("options may come before, and a dash after, in any order", async () => {
  const io = fakeIo({ stdin: "return 42" });
  const { log, dependencies } = fakeDependencies([completed]);
  expect(await main(["run", "--ts", "-", "--timeout", "2000"], io, dependencies)).toBe(0);
  expect(log.slice(0, 2)).toEqual([
    { config: { timeoutMs: 2_000, maxToolResultBytes: 4_194_304 } },
    { exec: { code: "return 42", language: "typescript" }, servers: [] },
  ]);
});

test("WAIT-01: a waiting result is continued by wait until the cell is done", async () => {
  const io = fakeIo({ stdin: "x" });
  const { log, dependencies } = fakeDependencies([waiting, waiting, completed]);
  expect(await main(["run"], io, dependencies)).toBe(0);
  expect(log.slice(2)).toEqual([{ wait: { runId: "cm_1" } }, { wait: { runId: "cm_1" } }, ...closed]);
  expect(io.out()).toBe("42\n");
});

test("--json prints the result exactly, and nothing else on standard output", async () => {
  const io = fakeIo({ stdin: "x" });
  const { dependencies } = fakeDependencies([failed]);
  expect(await main(["run", "--json"], io, dependencies)).toBe(1);
  expect([io.out(), io.err()]).toEqual([`${JSON.stringify(failed)}\n`, ""]);
});

test("a failed cell is told on standard error", async () => {
  const io = fakeIo({ stdin: "x" });
  const { dependencies } = fakeDependencies([failed]);
  expect(await main(["run"], io, dependencies)).toBe(1);
  expect([io.out(), io.err()]).toEqual(["", "failed: Error: no\n"]);
});

test.each([
  [completed, 3],
  [failed, 1],
])("a server that cannot be used is told, the others go on, and the code says so (%#)", async (result, code) => {
  const io = fakeIo({ stdin: "x" });
  const { dependencies } = fakeDependencies([result], { problems: [lost] });
  expect(await main(["run", "--json", "--mcp", "mcp.json"], io, dependencies)).toBe(code);
  expect(io.err()).toBe('codemode: MCP server "files": it exited with code 1; run its command.\n');
});

test("MCP-07: a bad tool is told and does not change the code", async () => {
  const io = fakeIo({ stdin: "x" });
  const { dependencies } = fakeDependencies([completed], {
    problems: [{ server: "a", tool: "t", isServerLost: false, problem: "inputSchema is missing" }],
    mcpProblems: [{ server: "a", tool: "u\u001b", problem: "is deep" }],
  });
  expect(await main(["run", "--json", "--mcp", "mcp.json"], io, dependencies)).toBe(0);
  expect(io.err()).toBe(
    'codemode: MCP server "a", tool "t": inputSchema is missing.\ncodemode: MCP server "a", tool "u\\u001b": is deep.\n',
  );
});

test("the time limit ends the cell, waits included", async () => {
  const io = fakeIo({ stdin: "x" });
  const { log, dependencies } = fakeDependencies([waiting, untilAborted]);
  expect(await main(["run", "--timeout", "100"], io, dependencies)).toBe(4);
  expect(log.slice(-2)).toEqual(closed);
  expect(io.err()).toBe(
    "failed (aborted): aborted\ncodemode: the time limit of 100 ms has passed; allow more with --timeout.\n",
  );
});

test("a cell that waits for a wait when the time is over is not waited for again", async () => {
  const io = fakeIo({ stdin: "x" });
  const late: Step = (signal) =>
    new Promise((resolve) => signal?.addEventListener("abort", () => resolve(waiting), { once: true }));
  const { log, dependencies } = fakeDependencies([late]);
  expect(await main(["run", "--timeout", "100", "--json"], io, dependencies)).toBe(4);
  expect(log.slice(-2)).toEqual(closed);
  expect(io.out()).toBe(`${JSON.stringify(waiting)}\n`);
});

test("an interrupted cell is closed and not printed", async () => {
  const io = fakeIo({ stdin: "x" });
  const { log, dependencies } = fakeDependencies([
    (signal) => {
      io.interrupt();
      return signal?.aborted === true ? Promise.resolve(aborted) : Promise.resolve(completed);
    },
  ]);
  expect(await main(["run"], io, dependencies)).toBe(130);
  expect(log.slice(-2)).toEqual(closed);
  expect([io.out(), io.err()]).toEqual(["", "codemode: ended by SIGINT; closing the cell and its servers.\n"]);
});

test("an interruption while servers start ends the program", async () => {
  const io = fakeIo({ stdin: "x" });
  const { log, dependencies } = fakeDependencies([]);
  const mcp = () => {
    io.interrupt();
    return dependencies.mcp();
  };
  expect(await main(["run", "--mcp", "mcp.json"], io, { ...dependencies, mcp })).toBe(130);
  expect(log.at(-1)).toBe("code mode closed");
  expect(io.err()).toBe("codemode: ended by SIGINT; closing the cell and its servers.\n");
});

test("OWN-06: an interruption while the source is read ends the program before anything is run", async () => {
  const io = { ...fakeIo({ isTerminal: true }), stdin: new PassThrough() };
  const { log, dependencies } = fakeDependencies([]);
  const ended = main(["run", "-"], io, dependencies);
  io.interrupt();
  expect(await ended).toBe(130);
  expect([io.err(), log]).toEqual(["codemode: ended by SIGINT; nothing was run.\n", []]);
});

test.each([
  [["run", "--bogus"], 'codemode: there is no option "--bogus"; see codemode run --help.\n'],
  [
    ["run", "-dash.js"],
    'codemode: there is no option "-dash.js"; see codemode run --help, and a file of that name comes behind --.\n',
  ],
  [["run", "--mcp"], "codemode: --mcp needs a value.\n"],
  [["run", "a.js", "b.js"], 'codemode: only one file can be run, not also "b.js".\n'],
  [["run", "absent.js"], "codemode: absent.js was not found; check the path.\n"],
  [["run", "--", "-dash.js"], "codemode: -dash.js was not found; check the path.\n"],
  [["run", "\u001b[31m.js"], "codemode: \\x1b[31m.js was not found; check the path.\n"],
  [
    ["run", "--timeout", "1", "-"],
    'codemode: --timeout must be a whole number of milliseconds from 100 to 86400000, not "1".\n',
  ],
  [["run"], "codemode: standard input is empty; write the program there.\n"],
  [["walk"], 'codemode: there is no command "walk"; see codemode --help.\n'],
  [["-"], 'codemode: there is no command "-"; see codemode --help.\n'],
  [["constructor"], 'codemode: there is no command "constructor"; see codemode --help.\n'],
  [["--bogus"], 'codemode: there is no option "--bogus"; see codemode --help.\n'],
  [["--json", "run"], 'codemode: there is no option "--json"; see codemode --help.\n'],
  [[], "codemode: a command is missing; see codemode --help.\n"],
])("bad input %j is one line and code 2", async (args, line) => {
  const io = fakeIo();
  const { log, dependencies } = fakeDependencies([]);
  expect(await main(args, io, dependencies)).toBe(2);
  expect([io.out(), io.err(), log]).toEqual(["", line, []]);
});

test("a fault of the program itself is told with its place", async () => {
  const io = fakeIo({ stdin: "x" });
  const fault = new Error("broken");
  const { dependencies } = fakeDependencies([]);
  expect(await main(["run"], io, { ...dependencies, core: () => Promise.reject(fault) })).toBe(5);
  expect(io.err()).toBe(`codemode: this is a fault of codemode itself; please report it.\n${fault.stack ?? ""}\n`);
});

test.each([
  [["--help"], /^Usage:\n {2}\$ codemode <command> \[options\]\n[\s\S]* {2}run \[file\|-\] +Run a /],
  [["run", "--help"], /^Usage:\n {2}\$ codemode run \[file\|-\] \[options\]\n[\s\S]* {2}--mcp <file> {10}MCP servers/],
  [["run", "-h", "--mcp", "x", "a", "b"], /MCP\.<server>\.<tool>[\s\S]*Exit codes:/],
  [["-h", "run"], /Exit codes:/],
  [["--version"], /^codemode\/\d+\.\d+\.\d+ \S+ node-v\S+\n$/],
  [["run", "--version"], /^codemode\/\d+/],
  [["-v", "run", "x"], /^codemode\/\d+/],
  [["run", "-hv"], /^codemode\/\d+/],
])("%j prints help or version on standard output and is no failure", async (args, pattern) => {
  const io = fakeIo({ isTerminal: true });
  const { log, dependencies } = fakeDependencies([]);
  expect(await main(args, io, dependencies)).toBe(0);
  expect(io.out()).toMatch(pattern);
  expect([io.err(), log]).toEqual(["", []]);
});
