import { describe, expect, test } from "vitest";
import { prepareSource } from "../src/index.js";
import { runPrepared } from "./run-prepared.js";

async function valueOf(source: string): Promise<unknown> {
  return runPrepared(await prepareSource(source, { language: "typescript" }), {
    echo: (input: unknown) => Promise.resolve(input),
  });
}

describe("TS-01: TypeScript syntax that needs compiling", () => {
  test.each<[string, string, unknown]>([
    ["types", "const n: number = 3;\nreturn n as unknown;", 3],
    ["generics", "const id = <T>(x: T): T => x;\nreturn id<number>(1) < 2;", true],
    ["a generic call that JavaScript reads as comparisons", "const id = (x: any) => x;\nreturn id<number>(5);", 5],
    ["type arguments of new", "return new Set<string>(['a']).size;", 1],
    ["an angle cast", "const x = <any>{ a: 1 };\nreturn x.a;", 1],
    [
      "enums",
      'enum Color { Red = 1, Green }\nconst enum E { A = "a" }\nreturn [Color.Green, Color[1], E.A];',
      [2, "Red", "a"],
    ],
    ["namespaces", "namespace N { export const x = 5; export function f() { return x * 2; } }\nreturn N.f();", 10],
    [
      "parameter properties",
      "class P { constructor(public readonly x: number, private y = 2) {} sum() { return this.x + this.y; } }\nreturn new P(1).sum();",
      3,
    ],
    ["decorators", "const log = (t: any, _: any) => t;\nclass A { @log m() { return 1; } }\nreturn new A().m();", 1],
    ["accessors", "class A { accessor x = 1 }\nreturn new A().x;", 1],
    [
      "abstract classes",
      "abstract class A { abstract m(): number }\nclass B extends A { m() { return 1; } }\nreturn new B().m();",
      1,
    ],
    ["satisfies", "return { a: 1 } satisfies object;", { a: 1 }],
    ["as const", "return [1, 2] as const;", [1, 2]],
    ["non-null assertions", "const x: { a?: number } = { a: 1 };\nreturn x!.a!;", 1],
    [
      "overloads and declarations",
      "declare const y: number;\nfunction f(a: string): string;\nfunction f(a: any) { return a; }\nreturn f('x');",
      "x",
    ],
    ["top-level await", "const x = await echo({ v: 1 });\nfor await (const y of [1]) if (y) return x;", { v: 1 }],
    [
      "a ternary with casts",
      'const o = { a: 1 };\nreturn `${(o.a ? (o.a as number) : (0 as number)) as number}:${"a: string"}`;',
      "1:a: string",
    ],
    [
      "using",
      "(Symbol as any).dispose ??= Symbol();\nlet log = '';\n{\n  using x = { [Symbol.dispose]() { log += 'disposed'; } };\n  log += 'used ';\n}\nreturn log;",
      "used disposed",
    ],
  ])("%s", async (_, source, value) => {
    expect(await valueOf(source)).toEqual(value);
  });
});

test("TS-04: a cell with only type errors runs", async () => {
  const source = "const n: number = 'text';\nconst m: Missing = n.nothing?.(1, 2);\nreturn [n, m === undefined];";
  expect(await valueOf(source)).toEqual(["text", true]);
});

test("nothing of the compiler stays in the code", async () => {
  const prepared = await prepareSource("interface A { a: string }\nreturn 1 as number; // one", {
    language: "typescript",
  });
  expect(prepared.code).toBe("return 1; // one\n");
  expect(prepared.insertions).toEqual([]);
});
