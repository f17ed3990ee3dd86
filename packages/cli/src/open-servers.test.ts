import { expect, test } from "vitest";
import { fakeIo } from "../test/fake-program.js";
import { tellProblems } from "./open-servers.js";

test("a server with many problems has 20 lines, and one with their number; the others have theirs", () => {
  const io = fakeIo({});
  const many = Array.from({ length: 3_000 }, (_, index) => ({ server: "a", tool: `t${index}`, problem: "is odd" }));
  tellProblems([...many, { server: "b", problem: "is lost" }], io);
  const lines = io.err().split("\n");
  expect([lines.length, ...lines.slice(18, 22), lines.at(-1)]).toEqual([
    23,
    'codemode: MCP server "a", tool "t18": is odd.',
    'codemode: MCP server "a", tool "t19": is odd.',
    'codemode: MCP server "b": is lost.',
    'codemode: MCP server "a": 2980 more problems.',
    "",
  ]);
});
