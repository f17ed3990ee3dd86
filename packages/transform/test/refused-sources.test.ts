import { describe, expect, test } from "vitest";
import { prepareSource, SourceError } from "../src/index.js";

const MODULES =
  "A cell loads no modules: call the tool globals or MCP.<server>.<tool>(input), or find a tool with await catalog.search(query), a server with await API.list().";
const SHELL =
  'Call a tool instead, as in `return await tool_name({ key: "value" })`; find one with `await catalog.search(query)`.';
const TYPESCRIPT = 'This looks like TypeScript: set language to "typescript".';

async function refusal(source: string, language: "javascript" | "typescript" = "javascript"): Promise<SourceError> {
  try {
    await prepareSource(source, { language });
  } catch (error) {
    if (SourceError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`accepted: ${source}`);
}

async function expectAccepted(source: string, language: "javascript" | "typescript" = "javascript"): Promise<void> {
  await expect(prepareSource(source, { language })).resolves.toMatchObject({ submitted: source });
}

describe("SRC-01: module access", () => {
  test.each<[string, string, [number, number]]>([
    ['import fs from "node:fs";\nreturn fs;', "import", [1, 1]],
    ["function f() {\n  import x from 'y'\n}", "import", [2, 3]],
    ["return import('fs')", "import()", [1, 8]],
    ["return import.meta.url", "import.meta", [1, 8]],
    ["export const x = 1;\nreturn x;", "export", [1, 1]],
    ["export {}", "export", [1, 1]],
    ["export * from 'x'", "export", [1, 1]],
    ["export default class A {}", "export", [1, 1]],
    ["export default 1;\nreturn 2;", "export", [1, 1]],
    ["const fs = require('fs');", "require()", [1, 12]],
    ["(x) => new require('fs')", "require()", [1, 12]],
    ["1;\nimport('a');\nrequire('b');", "import()", [2, 1]],
  ])("%s", async (source, found, [line, column]) => {
    const error = await refusal(source);
    expect(error.message).toBe(
      `code mode module access is disabled. Found ${found} (line ${line}, column ${column}). ${MODULES}`,
    );
    expect(error).toMatchObject({ name: "SourceError", code: "invalid_input", line, column });
  });

  test.each([
    'import type { Foo } from "./foo";\nreturn 1;',
    "import fs = require('fs');",
    "import type fs = require('fs');",
    "export type A = string;",
    "export interface A {}",
    "export = 5",
    "export as namespace a",
    "export default interface A {}",
    "export import a = b.c",
    "return import('fs')",
    "return import.meta",
    "return (require as any)('fs')",
    "declare function require(name: string): any;\nrequire('fs')",
    "enum A { B = require('fs') }",
  ])("TypeScript: %s", async (source) => {
    expect((await refusal(source, "typescript")).message).toMatch(/^code mode module access is disabled\. Found /);
  });

  test.each([
    "const msg = \"use require('fs') or import('x')\"; return `import.meta ${msg}`;",
    "// import('fs'), require('x'), import.meta\n/* export default */ return 1;",
    "return /import\\.meta|require\\(|import\\(/.test('import.meta');",
    "const api = { import() {}, require(x) { return x; }, export: 3 }; return [api.import(), api.require(2), api.export];",
    "return { import: { meta: 42 } }.import.meta;",
    "return typeof require;",
    "const require = (name) => name; return require('a');",
    "return require('a'); function require(name) { return name; }",
    "return ((require) => require('a'))((name) => name);",
    "const { a: [require = 1] } = {}; require();",
    "try {} catch (require) { require(); }",
    "for (const require of []) require();",
    "return (function require(n) { return n && require(n - 1); })(3);",
    "class A { static { var require = () => 1; require(); } }",
    "class require { static a() { new require(); } }",
    "const A = class require { b() { new require(); } };",
    "switch (1) { case 1: let require = () => 1; require(); }",
    "{ function require() {} require(); }",
    "const [...require] = []; require();",
  ])("accepted: %s", async (source) => {
    await expectAccepted(source);
  });

  test.each([
    "{ const require = () => 1; }\nrequire('a');",
    "function f(require) {}\nrequire('a');",
    "(function require() {});\nrequire('a');",
    "function f(a = require('fs')) { var require; }",
    "for (let require of []) {}\nrequire('a');",
    "try {} catch (require) {}\nrequire('a');",
    "class A { static { var require; } }\nrequire('a');",
    "{ function require() {} }\nrequire('a');",
  ])("a require declared elsewhere does not count: %s", async (source) => {
    expect((await refusal(source)).message).toContain("Found require()");
  });

  test.each([
    "let require = (name: string) => name;\nreturn require('a');",
    "import A = N.B;\nreturn A;",
    "namespace N { export const x = 1; }\nreturn N.x;",
    "let stats: import('fs').Stats;",
    "declare module 'x' { export const y: number; }",
  ])("TypeScript, accepted: %s", async (source) => {
    await expectAccepted(source, "typescript");
  });
});

describe("SRC-02: disguises of require and import", () => {
  test.each([
    "require?.('fs')",
    "(require)('fs')",
    "((require))('fs')",
    "(0, require)('fs')",
    "(0, require)?.('fs')",
    "requ\\u0069re('fs')",
    "r\\u{65}quire('fs')",
    "new require('fs')",
    "require`fs`",
    "(true ? require : 0)('fs')",
    "(null ?? require)('fs')",
    "let r; (r = require)('fs')",
  ])("%s", async (source) => {
    expect((await refusal(source)).message).toContain("Found require()");
  });

  test("an escaped keyword is no keyword", async () => {
    const error = await refusal("im\\u0070ort('fs')");
    expect(error.message).toBe("SyntaxError: Escape sequence in keyword import (line 1, column 1)");
  });
});

describe("SRC-03: shell text", () => {
  test.each([
    ["ls", "ls"],
    ["pwd", "pwd"],
    ["ls -la", "ls -la"],
    ["ls -la | wc -l", "ls -la | wc -l"],
    ["git status", "git status"],
    ["cd /tmp && ls", "cd /tmp && ls"],
    ["rm -rf /", "rm -rf /"],
    ["cat < in.txt > out.txt", "cat < in.txt > out.txt"],
    ["npm install left-pad", "npm install left-pad"],
    ["apt-get update", "apt-get update"],
    ["#!/bin/bash\necho hi", "#!/bin/bash"],
    ["$ ls -la", "$ ls -la"],
    ["./run.sh --fast", "./run.sh --fast"],
    ["NODE_ENV=test node main.js", "NODE_ENV=test node main.js"],
    ["export NODE_ENV=test", "export NODE_ENV=test"],
  ])("%s", async (source, found) => {
    const message = `code mode runs JavaScript, not shell commands. Found ${JSON.stringify(found)} (line 1, column 1). ${SHELL}`;
    expect((await refusal(source)).message).toBe(message);
    expect((await refusal(source, "typescript")).message).toBe(message);
  });

  test("comments and a fence before the command are skipped", async () => {
    const error = await refusal("```bash\n# what is here?\n\n  ls ./src\n```");
    expect(error.message).toContain('Found "ls ./src" (line 4, column 3)');
  });

  test("a long command is shortened", async () => {
    expect((await refusal(`echo ${"x".repeat(200)}`)).message).toContain(`Found "echo ${"x".repeat(54)}…"`);
  });

  test.each([
    'const pwd = () => "ok"; const ls = { la: 2 }; const a = 1;\nreturn [pwd(), ls -a, ls.la];',
    "ls({ path: '.' })",
    "await exec({ command: 'ls -la' })",
    "find.length",
    "const date = new Date(); date - 1",
    "sort: for (;;) break sort;",
    "date = 1",
    "`ls -la`",
    "(pwd)",
    "test -1",
  ])("JavaScript that starts with a shell word: %s", async (source) => {
    await expectAccepted(source);
  });

  test.each(["date = new Date(;", "find(x => ;", "node.name +;", "sort, 1, ;", "git in x ? ;"])(
    "JavaScript with a fault: %s",
    async (source) => {
      expect((await refusal(source)).message).toMatch(/^SyntaxError: Unexpected token ";" \(line 1, /);
    },
  );
});

describe("SRC-04: nothing follows the wrapper", () => {
  test.each([
    ["return 1; }); globalThis.__escaped = 1; (async () => {", 11],
    ["}); (async function () {", 1],
    ["}, function () {", 1],
    ["})(async function () {", 1],
    ["} + function () {", 1],
    ["return 1 }", 10],
    ["void 0 }); (async function () { void 0", 8],
  ])("%s", async (source, column) => {
    const error = await refusal(source);
    expect(error.message).toBe(`SyntaxError: Unexpected token "}" (line 1, column ${column})`);
  });

  test("TypeScript", async () => {
    const error = await refusal("return 1; }); (async () => {", "typescript");
    expect(error.message).toBe("SyntaxError: Declaration or statement expected (line 1, column 11)");
  });
});

describe("TS-02: syntax errors carry the place in the submitted text", () => {
  test.each<[string, string, [number, number]]>([
    ["const a = 1;\nconst b = ;", 'Unexpected token ";"', [2, 11]],
    ["if (x) {", "Unexpected end of input", [1, 9]],
    ["foo(\n", "Unexpected end of input", [2, 1]],
    ["'abc", "Unterminated string constant", [1, 1]],
    ["1;\r\n2;\r  'é😀'; )", 'Unexpected token ")"', [3, 10]],
    ["```js\nlet let = 1\n```", "The keyword 'let' is reserved", [2, 5]],
    ["with (a) {}", "'with' in strict mode", [1, 1]],
    ["var await = 1", "Cannot use 'await' as identifier inside an async function", [1, 5]],
    ["let a;\nlet a;", "Identifier 'a' has already been declared", [2, 5]],
  ])("%s", async (source, message, [line, column]) => {
    const error = await refusal(source);
    expect(error.message).toBe(`SyntaxError: ${message} (line ${line}, column ${column})`);
    expect(error).toMatchObject({ line, column });
  });

  test.each<[string, string, [number, number]]>([
    ["const a: number = 1;\nconst b: = 2;\nreturn a;", "Type expected", [2, 10]],
    ["```ts\nlet a: = 1\n```", "Type expected", [2, 8]],
    ["let s: string = 'é😀'; )", "Declaration or statement expected", [1, 24]],
    ["interface A { a: number }\n\nfor (;;) {}\nbreak;", "Unsyntactic break", [4, 1]],
    ["type A = 1;\nlet a: A;\nlet a: A;", "Identifier 'a' has already been declared", [3, 5]],
  ])("TypeScript: %s", async (source, message, [line, column]) => {
    const error = await refusal(source, "typescript");
    expect(error.message).toBe(`SyntaxError: ${message} (line ${line}, column ${column})`);
  });

  test.each([
    "const n: number = 3;",
    "(x?: number) => x",
    "function f(): void {}",
    "interface A { a: string }",
    "type A = { a: string };",
    "enum A { B }",
    "namespace N {}",
    "declare const x: number;",
    "abstract class A {}",
    "return x as number;",
    "return x satisfies number;",
    "class A implements B {}",
    "class A { private x = 1; }",
    "class A { constructor(readonly x) {} }",
    "function id<T>(x) { return x; }",
    "return new Map<string, number>();",
    "return x!.y;",
  ])("TypeScript sent as JavaScript: %s", async (source) => {
    expect((await refusal(source)).message).toMatch(new RegExp(`^SyntaxError: .*\\)\\. ${TYPESCRIPT}$`));
  });

  test.each(["const a = ;", "foo(", "return 1 }", "a b", "if x {}", "for (const x of y {", "return {a: 1, b: };"])(
    "JavaScript with a fault gets no hint: %s",
    async (source) => {
      expect((await refusal(source)).message).not.toContain("TypeScript");
    },
  );

  test.each<[string, string]>([
    ["def main():\n    return 1", "This looks like Python: write JavaScript."],
    ["import json\nprint(json.dumps({}))", "This looks like Python: write JavaScript."],
    ["from math import pi\npi", "This looks like Python: write JavaScript."],
    ["total = 0\nfor x in [1, 2]:\n    total += x", "This looks like Python: write JavaScript."],
    ["Here is the program:\n```js\nreturn 1\n```", "Send the program alone, without text around its code fence."],
    ["```js\nreturn 1\n```\nIt gives 1.", "Send the program alone, without text around its code fence."],
    [
      "rows.map((row) => await echo(row))",
      "await is allowed only in async functions: mark the function around it as async.",
    ],
    ["const sum = 1;\n{ sum, count: 2 }", "To give back an object, write return { … }."],
  ])("what the source is meant as is named: %j", async (source, hint) => {
    expect((await refusal(source)).message).toMatch(/^SyntaxError: .* \(line \d+, column \d+\)\. /);
    expect((await refusal(source)).message.endsWith(`. ${hint}`)).toBe(true);
    expect((await refusal(source, "typescript")).message.endsWith(`. ${hint}`)).toBe(true);
  });

  test.each([
    "const o = {\n  for: 1,\n  if: 2,;\n};",
    "switch (x) {\n  case 1:\n    y(;\n}",
    "const x = a\n  ? b :\n  c;;)",
    "await = 1;",
  ])("JavaScript with a fault is nothing else: %j", async (source) => {
    expect((await refusal(source)).message).toMatch(/^SyntaxError: [^.]* \(line \d+, column \d+\)$/);
  });

  test("hints are found in time linear in the source", async () => {
    const source = `${"if x\n".repeat(50_000)})`;
    expect((await refusal(source)).message).toMatch(/^SyntaxError: /);
  });

  test.each([
    '{"name":"add","arguments":{"a":1}}',
    '{"name":"add","input":{}}',
    '{"tool":"add","a":1}',
    '{"type":"function","function":{"name":"add","arguments":"{}"}}',
  ])("the JSON of another tool's call is named: %s", async (source) => {
    await expect(prepareSource(source, { language: "javascript" })).rejects.toThrow(
      /This is the JSON of a tool call: call the tool in a program, such as return await add\(\{ a: 1 \}\);$/,
    );
  });

  test("the JSON of a tool call is named", async () => {
    const error = await refusal('{"code": "return 1", "language": "javascript"}');
    expect(error.message).toBe(
      'SyntaxError: Unexpected token ":" (line 1, column 8). This is a JSON object: send the program itself as code.',
    );
  });
});

describe("sources that are too large or too deep", () => {
  test.each(["(", "[", "{", "`${", "!", "a=>", "f(", "if(1)", "1+", "class A{m(){", "async()=>{"])(
    "absurd nesting of %s",
    async (unit) => {
      const options = { maxSourceBytes: 4_194_304 };
      for (const language of ["javascript", "typescript"] as const) {
        const prepared = prepareSource(unit.repeat(30_000), { language, ...options });
        await expect(prepared).rejects.toMatchObject({ name: "SourceError", code: "invalid_input" });
      }
    },
  );

  test("nesting is bounded the same on every thread", async () => {
    const nested = (levels: number) => `return ${"(".repeat(levels)}1${")".repeat(levels)}`;
    await expectAccepted(nested(190));
    expect((await refusal(nested(250))).message).toBe(
      "SyntaxError: The source is nested too deeply, beyond 200 levels (line 1, column 207)",
    );
  });

  test("chains are not nesting", async () => {
    await expectAccepted(`return ${"1 + ".repeat(1_000)}1`);
    await expectAccepted(`return a${".b()".repeat(500)}`);
    await expectAccepted(`return ${"1 + ".repeat(1_000)}1`, "typescript");
  });

  test("the limit counts UTF-8 bytes", async () => {
    await expectAccepted("é".repeat(10));
    const source = `"${"é".repeat(100)}"`;
    await expect(prepareSource(source, { language: "javascript", maxSourceBytes: 202 })).resolves.toBeDefined();
    await expect(prepareSource(source, { language: "javascript", maxSourceBytes: 201 })).rejects.toThrow(
      "The source is longer than 201 bytes, it has 202. Send a shorter program; let it read large data through tools instead of holding it.",
    );
  });

  test("the limit is 256 KiB where none is given", async () => {
    await expectAccepted(" ".repeat(262_144));
    expect((await refusal(" ".repeat(262_145))).message).toMatch(
      /^The source is longer than 262144 bytes, it has 262145\. /,
    );
  });
});
