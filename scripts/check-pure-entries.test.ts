import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findBuiltinLoads } from "./rules/pure-entries.js";
import { renderProblem } from "./workspace/problems.js";

const root = mkdtempSync(join(tmpdir(), "codemode-pure-"));
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("built-ins count when they load with the entry, also through other files, and not behind import()", async () => {
  const manifest = JSON.stringify({ name: "@codemode/bridge", exports: { ".": { default: "./dist/index.js" } } });
  const files = new Map([
    ["packages/bridge/package.json", manifest],
    ["packages/bridge/dist/index.js", `export { a } from "./a.js"; export const later = () => import("./lazy.js");`],
    [
      "packages/bridge/dist/a.js",
      `import { readFileSync } from "node:fs"; import "path"; export const a = readFileSync;`,
    ],
    ["packages/bridge/dist/lazy.js", `import "node:net"; export const lazy = 1;`],
  ]);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect((await findBuiltinLoads(files, root)).map(renderProblem)).toEqual([
    "packages/bridge: loads node:fs through packages/bridge/dist/a.js: pure packages load no Node built-in",
    "packages/bridge: loads path through packages/bridge/dist/a.js: pure packages load no Node built-in",
  ]);
});
