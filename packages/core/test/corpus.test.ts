import { createSupervisor } from "@codemode/supervisor";
import { workerUrl } from "@codemode/worker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCodeMode } from "../src/create-code-mode.js";
import { parkAtEveryBoundary } from "./corpus/parking-executor.js";
import { EXPECTED, PROGRAMS, STUB_TOOL_NAMES, type ExpectedResult, type Program } from "./corpus/programs.js";
import { comparable, differencesFrom } from "./corpus/compare.js";
import { runProgram, type ProgramOutcome } from "./corpus/run-program.js";
import { createStubTools, STUB_SERVERS } from "./corpus/stub-tools.js";
import { createRealHost, openRunOf, type RealHost } from "./fakes/real-host.js";

/** Has a test of its own: its caller aborts it. */
const ABORTED = "lim-finally-after-abort";
const MAX_TEST_MS = 90_000;

const programs = PROGRAMS.filter(({ id }) => id !== ABORTED);

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
  await real.host.prewarm({ typescript: true });
}, MAX_TEST_MS);
afterAll(() => real.host.close());

function expectedOf(id: string): ExpectedResult {
  const expected = EXPECTED[id];
  if (expected === undefined) throw new Error(`program-results.json has no ${id}.`);
  return expected;
}

function testPrograms(tested: readonly Program[], run: (program: Program) => Promise<ProgramOutcome>): void {
  for (const program of tested) {
    const check = async (): Promise<void> => {
      expect((await run(program)).result).toEqual(expectedOf(program.id).result);
    };
    test(program.id, check, MAX_TEST_MS);
  }
}

test("the table says for every program what it comes to, and why that is not what the corpus expects", () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(programs.map(({ id }) => id).sort());
  const undecided = programs.flatMap((program) => {
    const expected = expectedOf(program.id);
    const differences = differencesFrom(program.expect, expected);
    return differences.length > 0 === (expected.decision !== undefined) ? [] : [{ id: program.id, differences }];
  });
  expect(undecided).toEqual([]);
});

test("the tools of the corpus are those that its description names", () => {
  expect(createStubTools().map(({ name }) => name)).toEqual(STUB_TOOL_NAMES);
});

describe("every program as it was written", () => {
  testPrograms(programs, async (program) => {
    const outcome = await runProgram(real.openRun, program);
    expect(outcome.waiting).toEqual(expectedOf(program.id).waiting);
    return outcome;
  });
});

/** In front of a program, on its first line: the rest of it runs in a VM that was parked in the store. */
const YIELD = "await yield_control(); ";

/** Not those that nothing can stand in front of, that never run, or that would only take their time again. */
function canYieldFirst({ id, code, expect: { status, code: failure } }: Program): boolean {
  const isWholeForm = /^\s*(?:async|\{|```)/.test(code);
  const isLong = id === "out-flood" || (failure === "timeout" && id !== "lim-while-true");
  const { result } = expectedOf(id);
  return (
    !isWholeForm && !isLong && status !== "waiting" && (result as { failurePhase?: string }).failurePhase !== "input"
  );
}

describe("every program whose VM was parked and resumed first", () => {
  testPrograms(programs.filter(canYieldFirst), async (program) => {
    const { waiting, result } = await runProgram(real.openRun, program, YIELD + program.code);
    expect(waiting).toEqual({ status: "waiting", runId: "cm_*", reason: "yield" });
    return { result: withoutPrefix(result, YIELD.length) };
  });
});

/** Places as they are without the text in front of the first line. */
function withoutPrefix(result: object, prefixLength: number): object {
  const { location, ...rest } = result as { location?: { line: number; column: number } };
  if (location === undefined) return result;
  const column = location.line === 1 ? location.column - prefixLength : location.column;
  return { ...rest, location: { ...location, column } };
}

describe("every program that calls tools, parked between each call and its reply", () => {
  const executor = createSupervisor({ workerUrl, maxWorkers: 2 });
  const host = createCodeMode({ executor: parkAtEveryBoundary(executor) });
  afterAll(async () => {
    await host.close();
    await executor.close();
  });
  const calling = programs.filter(({ code }) =>
    /\bawait (?:echo|fail|flaky|list_page|get_user|add|MCP|catalog)\b|\becho\(/.test(code),
  );
  testPrograms(calling, (program) => runProgram(openRunOf(host), program));
});

test("WAIT-09: a program whose caller aborts it runs no clean-up, and its wait fails", async () => {
  const program = PROGRAMS.find(({ id }) => id === ABORTED);
  const calls: string[] = [];
  const tools = createStubTools().map((tool) => ({
    ...tool,
    execute: (...call: Parameters<typeof tool.execute>) => {
      calls.push(tool.name);
      return tool.execute(...call);
    },
  }));
  await using run = real.openRun({ tools, mcp: STUB_SERVERS });
  const controller = new AbortController();
  const running = run.exec({ code: program?.code ?? "" }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 200);
  expect(comparable(await running)).toEqual({
    status: "failed",
    error: "code mode cell was aborted: the call was cancelled",
    code: "aborted",
    failurePhase: "host",
    calls: [{ name: "never", status: "unknown" }],
  });
  expect(calls).toEqual(["never"]);
});

test("SRC-02: what the corpus only quotes is refused as a program", async () => {
  await using run = real.openRun();
  for (const code of ["require?.('fs')", "(require)('fs')", "(0, require)('fs')"]) {
    expect(await run.exec({ code })).toMatchObject({ status: "failed", code: "invalid_input", failurePhase: "input" });
  }
});

test.each(["javascript", "typescript"] as const)(
  "absurd nesting is refused before anything runs, as %s",
  async (language) => {
    await using run = real.openRun({}, { maxSourceBytes: 4_194_304 });
    const code = `return ${"(".repeat(20_000)}1${")".repeat(20_000)}`;
    expect(await run.exec({ code, language })).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^SyntaxError: The source is nested too deeply/) as string,
      code: "invalid_input",
      failurePhase: "input",
    });
  },
);

test("a source of 5 MB is refused", async () => {
  await using run = real.openRun();
  expect(comparable(await run.exec({ code: `return 1; /* ${"z".repeat(5_000_000)} */` }))).toEqual({
    status: "failed",
    error: "the source has 5000016 bytes; at most 262144 are allowed (maxSourceBytes).",
    code: "invalid_input",
    failurePhase: "input",
  });
});

test("an own key __proto__ in a value changes no object of the host", async () => {
  await using run = real.openRun();
  const result = await run.exec({ code: `return JSON.parse('{"__proto__": {"admin": true}}');` });
  const { value } = result as { value: object };
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect([(value as { admin?: unknown }).admin, ({} as { admin?: unknown }).admin]).toEqual([undefined, undefined]);
});
