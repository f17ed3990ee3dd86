import { describe, expect, test } from "vitest";
import type { PreparedSource } from "@codemode/protocol";
import { prepareSource, resolvePosition } from "../src/index.js";

/** Where the engine sees a text of the prepared code: lines end at LF, columns are UTF-8 bytes, both from 1. */
function enginePositionOf(prepared: PreparedSource, text: string): { line: number; columnBytes: number } {
  const offset = prepared.code.indexOf(text);
  expect(offset).toBeGreaterThanOrEqual(0);
  const lines = prepared.code.slice(0, offset).split("\n");
  return { line: lines.length, columnBytes: new TextEncoder().encode(lines.at(-1)).length + 1 };
}

async function locate(source: string, language: "javascript" | "typescript", text: string): Promise<unknown> {
  const prepared = await prepareSource(source, { language });
  return resolvePosition(prepared, enginePositionOf(prepared, text));
}

describe("EXEC-10: positions are those of the submitted text", () => {
  test.each<[string, string, { line: number; column: number }]>([
    ["plain", "const a = 1;\n  fail(a);\nreturn 1;", { line: 2, column: 3 }],
    ["after an inserted return", "const a = 1;\nawait fail(a)", { line: 2, column: 7 }],
    ["inside a called function", "async () => { await fail(1); }", { line: 1, column: 21 }],
    ["after characters of 2 and 4 bytes", "return 'é😀' + fail(1)", { line: 1, column: 16 }],
    ["CRLF", "1;\r\n  fail()", { line: 2, column: 3 }],
    ["CR, also in a comment", "1;\r/*\r*/  fail()", { line: 3, column: 5 }],
    ["line separators outside and inside literals", "/*\u2028*/ '\u2028';\u2029 fail()", { line: 1, column: 13 }],
    ["a byte order mark", "\ufefffail()", { line: 1, column: 2 }],
    ["a fence", "```js\n  'é'; fail()\n```", { line: 2, column: 8 }],
    ["a default export", "export default /* é */\n  fail();", { line: 2, column: 3 }],
    ["a nameless function", "async function () {\n  fail();\n}", { line: 2, column: 3 }],
  ])("JavaScript: %s", async (_, source, location) => {
    expect(await locate(source, "javascript", "fail(")).toEqual(location);
  });

  test.each<[string, string, { line: number; column: number }]>([
    ["plain", "const a: number = 1;\n  fail(a);\nreturn 1;", { line: 2, column: 3 }],
    ["below erased lines", "interface A {\n  a: string;\n}\n\n\nreturn fail(1);", { line: 6, column: 8 }],
    ["behind erased types", "const s: string = 'é😀';   fail(s)", { line: 1, column: 28 }],
    [
      "a generic call in an indented block",
      "enum C { A }\r\nif (C.A === 0) {\r\n      fail<string>(1 as any);\r\n}",
      { line: 3, column: 7 },
    ],
    ["a template over lines", "const t: string = `a\r\nb\u2028c`;\n  fail()", { line: 3, column: 3 }],
    [
      "a parameter property",
      "class P { constructor(public readonly x: number) { fail(); } }\nnew P(1)",
      { line: 1, column: 52 },
    ],
    ["a fence", "```ts\nconst n: number = 1;\nfail(n)\n```", { line: 3, column: 1 }],
    ["a default export", "export default async (): Promise<void> => {\n    fail();\n}", { line: 2, column: 5 }],
    ["below compiler helpers", "const d = (m: any) => m;\nclass A { @d m() {} }\nfail()", { line: 3, column: 1 }],
  ])("TypeScript: %s", async (_, source, location) => {
    expect(await locate(source, "typescript", "fail(")).toEqual(location);
  });

  test("inside a stretch that the compiler copied, the distance carries over", async () => {
    const prepared = await prepareSource("let a: any;\n  return 'abcdef'", { language: "typescript" });
    expect(resolvePosition(prepared, enginePositionOf(prepared, "def'"))).toEqual({ line: 2, column: 14 });
  });

  test("inserted text belongs to the place where it was inserted", async () => {
    const prepared = await prepareSource("1;\n  fail()", { language: "javascript" });
    expect(prepared.code).toBe("1;\n  return fail()");
    expect(resolvePosition(prepared, { line: 2, columnBytes: 3 })).toEqual({ line: 2, column: 3 });
    expect(resolvePosition(prepared, { line: 2, columnBytes: 6 })).toEqual({ line: 2, column: 3 });
    expect(resolvePosition(prepared, { line: 2, columnBytes: 10 })).toEqual({ line: 2, column: 3 });
    expect(resolvePosition(prepared, { line: 2, columnBytes: 11 })).toEqual({ line: 2, column: 4 });
  });

  test("a place outside the cell has no location", async () => {
    const prepared = await prepareSource("1;\n2", { language: "javascript" });
    expect(resolvePosition(prepared, { line: 3, columnBytes: 1 })).toBeUndefined();
    expect(resolvePosition(prepared, { line: 1, columnBytes: 0 })).toBeUndefined();
    expect(resolvePosition(prepared, { line: 0, columnBytes: 1 })).toBeUndefined();
  });

  test("what the compiler added has no location", async () => {
    const source = "const d = (m: any) => m;\nclass A { @d m() {} }";
    const prepared = await prepareSource(source, { language: "typescript" });
    expect(resolvePosition(prepared, enginePositionOf(prepared, "__esDecorate"))).toBeUndefined();
  });
});
