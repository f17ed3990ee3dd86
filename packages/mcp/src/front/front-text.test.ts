import { expect, test } from "vitest";
import { renderInstructions, withServers } from "./front-text.js";

const server = (name: string, functions: number) => ({ server: name, name, functions });

test("E2E-03: the text for the client's model is short, and exec names the servers as guests see them", () => {
  expect(renderInstructions(2)).toBe(
    `Use exec to work with the tools of 2 MCP servers: one small program calls as many of them as it needs, filters and joins their results, and returns only what you want to read. Prefer one exec with several calls to several execs with one.
A result with status "waiting" is not the end: call wait with its runId until the status is another.`,
  );
  expect(withServers("Run a program.", [server("files", 14), server("echo", 1)])).toBe(
    "Run a program.\n- Servers: MCP.files (14 functions), MCP.echo (1 function).",
  );
  expect(withServers("Run a program.", [])).toBe("Run a program.");
});

test("E2E-03: a list of servers is bounded, and says how many it leaves out", () => {
  const text = withServers(
    "",
    Array.from({ length: 500 }, (_, index) => server(`server_${index}`, 2)),
  );
  expect(text.length).toBeLessThan(2_100);
  expect(text).toMatch(/, and \d+ more\.$/);
});
