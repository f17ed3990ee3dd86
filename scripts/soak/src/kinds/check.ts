import { isDeepStrictEqual } from "node:util";
import type { CodeModeCompletedResult, CodeModeFailedResult, CodeModeResult } from "@codemode/protocol";
import type { Stage } from "../stage.js";
import { endingOf, WrongEnding } from "./kind.js";

const MAX_SHOWN_CHARS = 300;

/** @throws {WrongEnding} */
export function check(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new WrongEnding(`${what}: ${show(actual)}, expected ${show(expected)}`);
}

/** The calls that reached tools, in any order. @throws {WrongEnding} */
export function checkCalls({ calls }: Stage, ...expected: readonly string[]): void {
  check("calls", [...calls.list()].sort(), [...expected].sort());
}

/** `note 1`, `note 2`, … @throws {WrongEnding} */
export function numbered(tool: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${tool} ${at + 1}`);
}

/** @throws {WrongEnding} when the cell has not completed. */
export function completed(result: CodeModeResult): CodeModeCompletedResult {
  if (result.status === "completed") return result;
  throw new WrongEnding(`${describe(result)}, expected completed`);
}

/** The run of a cell that waits. @throws {WrongEnding} */
export function waiting(result: CodeModeResult, reason: "yield" | "pending_tools"): string {
  if (result.status === "waiting" && result.reason === reason) return result.runId;
  throw new WrongEnding(`${describe(result)}, expected waiting ${reason}`);
}

/** @throws {WrongEnding} when the cell has not failed, or with another message. */
export function failed(result: CodeModeResult, error?: string): CodeModeFailedResult {
  if (result.status !== "failed") throw new WrongEnding(`${describe(result)}, expected a failure`);
  if (error !== undefined) check("error", result.error, error);
  return result;
}

/** @throws {WrongEnding} when the cell ended otherwise. Gives the ending. */
export function ended(result: CodeModeResult, ...endings: readonly string[]): string {
  const ending = endingOf(result);
  if (endings.includes(ending)) return ending;
  throw new WrongEnding(`${describe(result)}, expected ${endings.join(" or ")}`);
}

/**
 * Whether the cell's time was over before it came to a worker: on a busy machine that happens to short times, and nothing
 * has run.
 */
export function isTooLate(result: CodeModeResult): boolean {
  return result.status === "failed" && /while the cell waited for a worker\.$/.test(result.error);
}

function describe(result: CodeModeResult): string {
  return `ended ${endingOf(result)}: ${show(result.status === "failed" ? result.error : result)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
