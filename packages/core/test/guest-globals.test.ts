import { createSupervisor } from "@codemode/supervisor";
import type { CellLanguage } from "@codemode/protocol";
import { workerUrl } from "@codemode/worker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CodeModeConfigInput } from "@codemode/config";
import { createCodeMode } from "../src/create-code-mode.js";
import { comparable } from "./corpus/compare.js";
import { parkAtEveryBoundary } from "./corpus/parking-executor.js";
import { createRealHost, openRunOf, type RealHost } from "./fakes/real-host.js";
import { tool } from "./fakes/test-host.js";

const MAX_TEST_MS = 60_000;

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
  await real.host.prewarm({ typescript: true });
}, MAX_TEST_MS);
afterAll(() => real.host.close());

const tools = [tool("echo", (input) => input), tool("get_user", ({ id }: { id: number }) => ({ id }))];

interface CellOptions {
  readonly language?: CellLanguage;
  readonly openRun?: RealHost["openRun"];
  readonly config?: CodeModeConfigInput;
}

/** A cell's result without what varies, after all waits, with the output of all of them. */
async function resultOf(code: string, { language = "javascript", openRun, config }: CellOptions = {}): Promise<object> {
  await using run = (openRun ?? real.openRun)({ tools }, config);
  let result = await run.exec({ code, language });
  const output = [...(result.output ?? [])];
  while (result.status === "waiting") {
    result = await run.wait({ runId: result.runId });
    output.push(...(result.output ?? []));
  }
  return comparable({ ...result, ...(output.length > 0 && { output }) });
}

async function valueOf(code: string, options: CellOptions = {}): Promise<unknown> {
  const result = (await resultOf(code, options)) as { value?: unknown };
  return "value" in result ? result.value : result;
}

/** Every kind of global: output, lookup, waiting, the library's accessors, the language's, and tools. */
const NAMES = ["text", "json", "catalog", "API", "MCP", "yield_control", "setTimeout", "console", "URL", "Intl", "Map"];
const SHADOWED = [...NAMES, "echo", "get_user"];

describe.each<CellLanguage>(["javascript", "typescript"])(
  "GUEST-07: in %s a name of the guest's is free for",
  (language) => {
    const type = language === "typescript" ? ": number" : "";

    test.each([
      ["const", (name: string) => `const ${name}${type} = 1; return ${name} + 1;`],
      ["let", (name: string) => `let ${name}${type} = 0; ${name} += 2; return ${name};`],
      ["var", (name: string) => `var ${name}${type} = 2; return ${name};`],
      [
        "a variable set after a call",
        (name: string) => `let ${name}${type}; ${name} = (await pass({ n: 2 })).n; return ${name};`,
      ],
      ["a function", (name: string) => `const two = ${name}(); function ${name}() { return 2; } return two;`],
      ["a class", (name: string) => `class ${name} { static two = 2; } return ${name}.two;`],
      ["a parameter", (name: string) => `const next = (${name}${type}) => ${name} + 1; return next(1);`],
      [
        "a parameter's part",
        (name: string) =>
          `const get = async function ({ ${name} }${type && ": any"}) { return ${name}; }; return get({ ${name}: 2 });`,
      ],
      [
        "what is taken from an object",
        (name: string) => `const { ${name}, ...rest } = { ${name}: 2, a: 1 }; return ${name};`,
      ],
      [
        "a loop and a caught error",
        (name: string) => `for (const ${name} of [2]) { try { throw ${name}; } catch (${name}) { return ${name}; } }`,
      ],
      [
        "one block only",
        (name: string) => `const real = typeof ${name}; { const ${name} = 1; } return real === typeof ${name} ? 2 : 0;`,
      ],
      ["a variable that lives over a wait", (name: string) => `const ${name} = 2; await hold(); return ${name};`],
    ])(
      "%s",
      async (_what, program) => {
        const programs = SHADOWED.map((name) => program(name));
        const run = (code: string): string => {
          const head = "const pass = globalThis.echo, hold = globalThis.yield_control;\n";
          return `results.push(await (async () => {${head}${code}})());`;
        };
        const code = `const results${type && ": unknown[]"} = [];\n${programs.map(run).join("\n")}\nreturn results;`;
        expect(await valueOf(code, { language })).toEqual(SHADOWED.map(() => 2));
      },
      MAX_TEST_MS,
    );

    test(
      "a variable of the cell's own top level",
      async () => {
        for (const name of SHADOWED) {
          expect(await valueOf(`const ${name} = 1;\n${name} + 1;`, { language })).toBe(2);
          expect(
            await valueOf(`await globalThis.yield_control(); function ${name}() { return 2; } return ${name}();`, {
              language,
            }),
          ).toBe(2);
        }
      },
      MAX_TEST_MS,
    );
  },
);

test("GUEST-07: TypeScript's own declarations may have such names too", async () => {
  const code = `
    enum text { Two = 2 }
    namespace catalog { export const two = 2; }
    interface API { json: number }
    type MCP = API;
    class Box { constructor(readonly json: number) {} }
    const value: MCP = new Box(2);
    return [text.Two, catalog.two, value.json];`;
  expect(await valueOf(code, { language: "typescript" })).toEqual([2, 2, 2]);
});

test("GUEST-07: a variable named like a global leaves the global as it is for the next cell of a run", async () => {
  await using run = real.openRun({ tools });
  await run.exec({ code: "const text = 1, echo = 2; var console = 3; return text + echo + console;" });
  const { value, output } = comparable(
    await run.exec({ code: 'text("a"); console.log("b"); return echo({ c: 1 });' }),
  ) as Record<string, unknown>;
  expect({ value, output }).toEqual({
    value: { c: 1 },
    output: [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
  });
});

const LIBRARY = `
  const url = new URL("https://a.b/c?d=1"), seen = [];
  const money = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" });
  const copy = structuredClone({ at: new Date(0), list: new Set([1]) });
  const controller = new AbortController();
  controller.signal.addEventListener("abort", () => seen.push("aborted"));
  const bytes = new TextEncoder().encode("é");
  console.log("one", { a: 1 });
  HERE
  controller.abort();
  url.searchParams.append("e", "ä");
  console.log("two %d", 2);
  return [url, money.format(1.5), copy, seen, new TextDecoder().decode(bytes), (1234.5).toLocaleString("de"),
    new Date(0).toLocaleString("en-US", { timeZone: "Asia/Tokyo" }), crypto.randomUUID().length, btoa("a")];`;

const LIBRARY_RESULT = {
  status: "completed",
  value: [
    "https://a.b/c?d=1&e=%C3%A4",
    "1,50\u00a0€",
    { at: "1970-01-01T00:00:00.000Z", list: [1] },
    ["aborted"],
    "é",
    "1.234,5",
    "1/1/1970, 9:00:00 AM",
    36,
    "YQ==",
  ],
  output: [
    { type: "text", text: 'one {"a":1}' },
    { type: "text", text: "two 2" },
  ],
};

describe("GUEST-03, GUEST-04: the library does the same", () => {
  const executor = createSupervisor({ workerUrl, maxWorkers: 2 });
  const host = createCodeMode({ executor: parkAtEveryBoundary(executor) });
  afterAll(async () => {
    await host.close();
    await executor.close();
  });

  test.each([
    ["without a wait", ""],
    ["over a call", "await echo({});"],
    ["over a wait", "await yield_control();"],
    ["over a timer", "await new Promise((resolve) => setTimeout(resolve, 5));"],
  ])("%s, in a VM that stays and in one that is parked at every boundary", async (_name, here) => {
    const code = LIBRARY.replace("HERE", here);
    expect(await resultOf(code)).toEqual(LIBRARY_RESULT);
    expect(await resultOf(`await yield_control();${code}`)).toEqual(LIBRARY_RESULT);
    expect(await resultOf(code, { openRun: openRunOf(host) })).toEqual(LIBRARY_RESULT);
  });
});

test("GUEST-02: what the console writes shares the output's budget, and no getter and no toJSON runs", async () => {
  const config = { maxOutputBytes: 2_048 };
  const hostile = `console.log({ get a() { throw new Error("ran"); }, toJSON() { throw new Error("ran"); } });`;
  expect(await resultOf(`${hostile} return 1;`, { config })).toEqual({
    status: "completed",
    value: 1,
    output: [{ type: "text", text: '{"a":"[Getter]","toJSON":"[Function: toJSON]"}' }],
  });
  const flood = `for (let line = 0; line < 1_000; line++) console.warn("line %d of many", line); return 1;`;
  expect(await resultOf(flood, { config })).toMatchObject({
    status: "completed",
    value: 1,
    output: [{ type: "json", value: { truncated: true } }],
  });
});

test("GUEST-01: timers set before a wait go on after it and can be cleared there", async () => {
  const code = `
    const seen = [];
    const late = setTimeout(() => seen.push("late"), 30_000);
    const soon = setTimeout((word) => seen.push(word), 20, "soon");
    let ticks = 0;
    const interval = setInterval(() => { ticks += 1; }, 5);
    await yield_control();
    clearTimeout(late);
    while (ticks < 3 || seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(interval);
    clearTimeout(soon);
    await yield_control();
    const { length } = seen;
    return [seen, length === seen.length];`;
  expect(await resultOf(code)).toEqual({ status: "completed", value: [["soon"], true] });
});

test.each(["setTimeout('x')", "setInterval(null, 5)", "setTimeout()"])(
  "GUEST-01: %s is a TypeError, also after a wait",
  async (call) => {
    const [name = ""] = call.split("(");
    const error = `TypeError: ${name} takes a function as its first argument.`;
    for (const code of [call, `await yield_control(); ${call}`]) {
      expect(await resultOf(code)).toMatchObject({ status: "failed", error, failurePhase: "guest" });
    }
  },
);

describe("GUEST-08: timers that are left when the result has settled", () => {
  test.each([
    ["in one call", ""],
    ["after a wait", "await yield_control();"],
  ])(
    "run if they are due within a second; others and all intervals are cancelled and named, %s",
    async (_name, here) => {
      const code = `
      setTimeout(() => text("late"), 60_000);
      setInterval(() => text("interval"), 30_000);
      setTimeout(() => { text("soon"); setTimeout(() => text("sooner"), 1); }, 20);
      ${here}
      return 1;`;
      expect(await resultOf(code)).toEqual({
        status: "completed",
        value: 1,
        output: [
          { type: "text", text: "soon" },
          { type: "text", text: "sooner" },
        ],
        warnings: ["Cancelled 2 timer(s) that would have fired after the result: 60000 ms, 30000 ms."],
      });
    },
  );

  test("one that throws within the second still fails the cell", async () => {
    expect(await resultOf('setTimeout(() => { throw new RangeError("left over"); }, 20); return 1;')).toMatchObject({
      status: "failed",
      error: "RangeError: left over",
    });
  });
});
