import { expect, test } from "vitest";
import { checkNamedPaths } from "./rules/named-paths.js";
import { renderProblem } from "./workspace/problems.js";

const tree = new Map([["packages/core/src/exec.ts", ""]]);

test("files and folders that exist may be named, in any markup", () => {
  const text = "See `packages/core/src/exec.ts`, packages/core/src, [core](packages/core) and packages/core/.";
  expect(checkNamedPaths(tree, "A.md", text)).toEqual([]);
});

test("what does not exist is a finding with its line; patterns and other paths are none", () => {
  const text = "`packages/<name>/test`, packages/*/src and node_modules/packages/gone.ts\n`packages/core/src/gone.ts`.";
  expect(checkNamedPaths(tree, "A.md", text).map(renderProblem)).toEqual([
    "A.md:2: names packages/core/src/gone.ts, which does not exist",
  ]);
});
