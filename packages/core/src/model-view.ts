import { CodeModeError, type CodeModeTelemetry } from "@codemode/protocol";
import type { RunOptions } from "./options.js";

/** The least characters a result may be held to, counters and a message included. */
const MIN_RESULT_CHARS = 1_024;
const MIN_UNTRUSTED_CHARS = 512;

/** What the host knows of how its model reads results. */
export interface ModelView {
  /** Most UTF-16 units of a result's compact JSON, all of it. */
  readonly maxResultChars: number;
  readonly untrusted?: NonNullable<RunOptions["untrusted"]>;
}

/** Undefined when results go to the model as they are. @throws {CodeModeError} `invalid_argument` */
export function readModelView({ modelContext, untrusted }: RunOptions): ModelView | undefined {
  if (modelContext !== undefined) {
    assertChars("modelContext.maxResultChars", modelContext.maxResultChars, MIN_RESULT_CHARS);
  }
  if (untrusted === undefined) return modelContext;
  assertChars("untrusted.maxChars", untrusted.maxChars, MIN_UNTRUSTED_CHARS);
  if (typeof untrusted.wrap !== "function") throw unusable("untrusted.wrap", "it must be a function");
  return { maxResultChars: modelContext?.maxResultChars ?? Infinity, untrusted };
}

/** Counters are part of every result. @throws {CodeModeError} `invalid_argument` when they leave no room for a message. */
export function assertRoomBeside(telemetry: CodeModeTelemetry, { maxResultChars }: ModelView): void {
  const least = JSON.stringify(telemetry).length + MIN_RESULT_CHARS / 2;
  if (maxResultChars < least) assertChars("modelContext.maxResultChars", maxResultChars, least);
}

function assertChars(path: string, chars: unknown, least: number): void {
  if (typeof chars === "number" && Number.isSafeInteger(chars) && chars >= least) return;
  throw unusable(path, `it must be a whole number of at least ${least} characters`);
}

function unusable(path: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${path}: ${problem}.`, { path, problem });
}
