import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repositoryRoot } from "./workspace/source-tree.js";

const run = promisify(execFile);

test("E2E-02: the main command runs cells against real MCP servers and prints results, calls and tokens", async () => {
  const { stdout } = await run(process.execPath, [join(repositoryRoot, "examples", "demo", "dist", "main.js")], {
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(stdout).toMatch(/ 2 tools, \d+ tokens \(o200k\); 44 direct tools: \d+ tokens\n/);
  expect(stdout).toContain('  value: [{"name":"Ada","note":"Prefers mornings.","euro":133.5},');
  expect(stdout).toMatch(/ {2}call MCP\.files\.readTextFile +completed [\d.]+ ms\n/);
  expect(stdout).toContain("  exec: waiting (pending_tools) in ");
  expect(stdout).toMatch(/\n\d+ checks passed, 0 failed\n$/);
}, 60_000);
