import { describe, expect, test } from "vitest";
import { prepareSource } from "../src/index.js";
import { runPrepared } from "./run-prepared.js";

const globals = { echo: (input: unknown) => Promise.resolve(input) };

async function valueOf(source: string, language: "javascript" | "typescript" = "javascript"): Promise<unknown> {
  return runPrepared(await prepareSource(source, { language }), globals);
}

describe("EXEC-01: every form of a program gives the value the model meant", () => {
  test.each([
    ["a body with return", "const a = 40;\nreturn a + 2;"],
    ["a trailing expression", "const a = 40;\na + 2"],
    ["a trailing expression with semicolons", "const a = 40;\na + 2;;"],
    ["a trailing expression before hoisted functions", "add(40);\nfunction add(a) { return a + 2; }"],
    ["a trailing await", "await echo(42)"],
    ["a promise as trailing expression", "echo(42)"],
    ["an early return before a trailing expression", "if (true) return 42;\n0"],
    ["an async arrow", "async () => { return 42; }"],
    ["an async arrow with a semicolon and a comment", "async () => { return 42; }; // done"],
    ["an async arrow in parentheses", "(async () => 42)"],
    ["an async arrow behind a directive", '"use strict";\nasync () => 42'],
    ["a plain arrow", "() => 42"],
    ["a called arrow", "(async () => 42)()"],
    ["a named function", "async function main() { return 42; }"],
    ["a named function that is called", "async function main() { return 42; }\nmain();"],
    ["a nameless function", "async function () { return 42; }"],
    ["a nameless function with a semicolon and a comment", "async function () { return 42; };\n// done"],
    ["an arrow under a name that nobody calls", "const run = async () => { return 42; };"],
    ["a main that nobody calls", "const a = 40;\nconst add = (b) => a + b;\nasync function main() { return add(2); }"],
    ["a main that nobody calls, and a comment at the end", "class A {}\nconst main = () => 42; // the answer"],
    ["a fenced body", "```js\nreturn 42;\n```"],
    ["a fence with an info string", '```ts title="x" {1,3-4}\nreturn 42;\n```'],
    ["a fenced arrow", "\n```javascript\nasync () => 42\n```\n"],
    ["a fence of tildes", "~~~\n42\n~~~"],
    ["a fence that is not closed", "```js\nreturn 42;"],
    ["a default export of an expression", "export default 42"],
    ["a default export of an arrow", "export default async () => 42;"],
    ["a default export in parentheses", "export default (async () => { return 42; })"],
    [
      "a default export of a function",
      "export default async function main() { return add(40); }\nfunction add(a) { return a + 2; }",
    ],
    ["a default export of a nameless function", "export default /* the program */\nasync function () { return 42; }"],
    ["a default export of a function's name", "async function main() { return 42; }\nexport default main;"],
    ["a default export of an arrow's name", "const main = async () => 42;\nexport /* default */ default main;"],
  ])("%s", async (_, source) => {
    expect(await valueOf(source)).toBe(42);
  });

  test.each([
    ["a body with return", "const a: number = 40;\nreturn a + 2;"],
    ["a trailing expression", "const a: number = 40;\n(a + 2) as number"],
    ["a trailing expression before types", "42 as number;\ninterface A { a: string }\ntype B = A;"],
    ["an async arrow", "async (): Promise<number> => { return 42; }"],
    ["a named function", "async function main(): Promise<number> { return 42; }"],
    ["a nameless function", "async function (): Promise<number> { return 42; }"],
    [
      "a function that needs compiler helpers",
      "async () => {\n  const twice = (m: any) => m;\n  class A { @twice m() { return 42; } }\n  return new A().m();\n}",
    ],
    ["a fenced body", "```ts\nconst a: number = 42;\na\n```"],
    ["a default export of an expression", "export default 42 satisfies number"],
    ["a default export of a function", "export default async function main(): Promise<number> { return 42; }"],
  ])("TypeScript: %s", async (_, source) => {
    expect(await valueOf(source, "typescript")).toBe(42);
  });

  test.each([
    ["nothing", ""],
    ["white space", " \n\t "],
    ["a comment", "// nothing to do yet"],
    ["a declaration at the end", "const a = 42;"],
    ["a statement at the end", "for (const a of [42]) a"],
    ["a class that is declared at the end", "42;\nclass A {}"],
    ["a generator", "function* main() { yield 42; }"],
    ["functions without a main", "const a = () => 42;\nconst b = () => 42;"],
    ["a main that is used", "const later = [main];\nfunction main() { return 42; }"],
  ])("no value: %s", async (_, source) => {
    expect(await valueOf(source)).toBeUndefined();
  });

  test.each<[string, object]>([
    ["const a = 1, b = 2;\n{ a, b }", { a: 1, b: 2 }],
    ["const a = 1;\n{ a }", { a: 1 }],
    ["{ total: 40 + 2 }", { total: 42 }],
    ["const b = 2;\n{ total: await echo(1), b }", { total: 1, b: 2 }],
  ])("a block that reads as an object is one: %j", async (source, value) => {
    expect(await valueOf(source)).toEqual(value);
    expect(await valueOf(source, "typescript")).toEqual(value);
  });

  test.each(["{ echo(1); }", "{ let a = 1; a }", "{ a: for (;;) break a; }", "{}", "if (true) { 42 }"])(
    "any other block gives no value: %s",
    async (source) => {
      expect(await valueOf(source)).toBeUndefined();
    },
  );

  test("a fence inside a string is text", async () => {
    expect(await valueOf('const md = "```js\\ncode\\n```";\nreturn md.length;')).toBe(14);
  });

  test("a program inside a longer fence may hold shorter ones", async () => {
    expect(await valueOf("````js\n/*\n```\n*/\nreturn 42;\n````")).toBe(42);
  });

  test("the closing brace of the wrapper is not swallowed by a comment", async () => {
    expect(await valueOf("return 1 // the answer")).toBe(1);
  });

  test("a byte order mark and CRLF are white space", async () => {
    expect(await valueOf("\ufeffconst a = `x\r\ny`;\r\nreturn a;\r\n")).toBe("x\ny");
  });

  test("line and paragraph separators stay content in literals", async () => {
    const value = await valueOf("const a = '\u2028';\u2028return [a, `\u2029`, /* \u2029 */ 1]");
    expect(value).toEqual(["\u2028", "\u2029", 1]);
  });

  test.each([
    "async ({ echo }) => await echo(42)",
    "export default async ({ echo }) => echo(42);",
    "async function ({ echo }) { return echo(42); }",
    "async function main({ echo }) { return echo(42); }",
    "const main = async ({ echo }) => echo(42);",
  ])("a whole function that takes its input apart finds the globals there: %s", async (source) => {
    expect(await valueOf(source)).toBe(42);
  });

  test.each([
    ["a parameter", "async (input) => typeof input"],
    ["a parameter with a default", "async ({ a } = {}) => typeof a"],
  ])("other parameters are missing: %s", async (_, source) => {
    expect(await valueOf(source)).toBe("undefined");
  });
});

test("the prepared source of a plain body is the body itself", async () => {
  expect(await prepareSource("return 1", { language: "javascript" })).toEqual({
    language: "javascript",
    submitted: "return 1",
    code: "return 1",
    insertions: [],
  });
});

test("insertions are recorded where they stand in the code", async () => {
  expect(await prepareSource("```js\nasync () => 1\n```", { language: "javascript" })).toEqual({
    language: "javascript",
    submitted: "```js\nasync () => 1\n```",
    code: "     \nreturn (async () => 1)()\n   ",
    insertions: [
      { offset: 6, length: 8 },
      { offset: 27, length: 3 },
    ],
  });
});
