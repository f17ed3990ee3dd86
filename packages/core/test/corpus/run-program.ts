import type { CodeModeConfigInput } from "@codemode/config";
import type { CodeModeResult } from "@codemode/protocol";
import type { CodeModeRun, RunOptions } from "../../src/options.js";
import { comparable } from "./compare.js";
import type { Program } from "./programs.js";
import { createStubTools, STUB_SERVERS, TIME_SCALE } from "./stub-tools.js";

export type OpenRun = (options: Partial<RunOptions>, config: CodeModeConfigInput) => CodeModeRun;

export interface ProgramOutcome {
  /** The first result, when it said to wait. */
  readonly waiting?: object;
  readonly result: object;
}

/** Runs a program to its end, waits included. `code` is what is sent in its place. */
export async function runProgram(openRun: OpenRun, program: Program, code = program.code): Promise<ProgramOutcome> {
  await using run = openRun({ tools: createStubTools(), mcp: STUB_SERVERS }, configOf(program));
  const first = await run.exec({ code, language: program.language });
  const result = await finish(run, first);
  return { ...(first.status === "waiting" && { waiting: comparable(first) }), result: comparable(result) };
}

async function finish(run: CodeModeRun, first: CodeModeResult): Promise<CodeModeResult> {
  let result = first;
  for (let waits = 0; result.status === "waiting" && waits < 20; waits++) {
    result = await run.wait({ runId: result.runId });
  }
  return result;
}

/** Programs that outlast the default deadline of 10 s run with a shorter one; others get time enough on a busy machine. */
function configOf({ code, expect }: Program): CodeModeConfigInput {
  const outlasts = / slow\(\{ ms: 1[25]000/.test(code);
  const timeoutMs = expect.code === "timeout" ? 1_000 : outlasts ? 10_000 / TIME_SCALE : 60_000;
  return { timeoutMs, ...expect.limits };
}
