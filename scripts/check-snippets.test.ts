import { expect, test } from "vitest";
import { compileSnippets } from "./rules/compile-snippets.js";
import { renderProblem } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

const real = readSourceTree();

test("a snippet is judged against the real API, with the document's own line", () => {
  const document = [
    "# Planted",
    "",
    "```ts",
    'import { CodeModeError } from "@codemode/protocol";',
    'const error = new CodeModeError("closed", "gone", { what: "host" });',
    "const code: number = error.code;",
    "```",
    "",
    "```sh",
    "const ignored: number = 'not TypeScript to us';",
    "```",
  ].join("\n");
  const tree = new Map([...real, ["docs/planted.md", document]]);
  expect(compileSnippets(tree, ["docs/planted.md"]).map(renderProblem)).toEqual([
    `docs/planted.md:6: Type 'string' is not assignable to type 'number'. (snippets compile)`,
  ]);
});
