import { expect, test } from "vitest";
import { fakeIo } from "../test/fake-program.js";
import { createProgress, describeCalls } from "./progress.js";

const CLEAR = "\r\u001b[2K";

test("progress is one line on a terminal", () => {
  const io = fakeIo({ isTerminal: true });
  const progress = createProgress(io);
  progress.clear();
  progress.show("starting");
  progress.show(`running \u001b ${"x".repeat(200)}`);
  progress.clear();
  progress.clear();
  expect(io.err()).toBe(`${CLEAR}starting (0 s)${CLEAR}running \\x1b ${"x".repeat(66)}${CLEAR}`);
});

test("the line comes again below what is written meanwhile", () => {
  const io = fakeIo({ isTerminal: true });
  const progress = createProgress(io);
  const write = () => void io.stderr.write("by the way\n");
  progress.interrupt(write);
  progress.show("running");
  progress.interrupt(write);
  progress.clear();
  expect(io.err()).toBe(`by the way\n${CLEAR}running (0 s)${CLEAR}by the way\n${CLEAR}running (0 s)${CLEAR}`);
});

test.each([{ isTerminal: false }, { isTerminal: true, env: { TERM: "dumb" } }])(
  "progress itself is silent with %j",
  (options) => {
    const io = fakeIo(options);
    const progress = createProgress(io);
    progress.show("running");
    progress.interrupt(() => void io.stderr.write("by the way\n"));
    progress.clear();
    expect(io.err()).toBe("by the way\n");
  },
);

test("nested calls are counted and those under way are named", () => {
  const shown: string[] = [];
  const follow = describeCalls({ show: (text) => shown.push(text) });
  follow({ type: "cell-start" });
  follow({ type: "call-start", callId: "1", name: "lookup" });
  follow({ type: "call-start", callId: "2", name: "MCP.a.b" });
  follow({ type: "call-end", callId: "1", name: "lookup" });
  follow({ type: "call-end", callId: "2", name: "MCP.a.b" });
  expect(shown).toEqual([
    "running: 0 calls done, 1 under way: lookup",
    "running: 0 calls done, 2 under way: lookup, MCP.a.b",
    "running: 1 call done, 1 under way: MCP.a.b",
    "running: 2 calls done",
  ]);
});
