import { readFileSync } from "node:fs";
import type { CodeModeConfigInput } from "@codemode/config";
import type { CellLanguage } from "@codemode/protocol";

/** One program as a model wrote it, with what the corpus expects of it. */
export interface Program {
  readonly id: string;
  readonly code: string;
  readonly language: CellLanguage;
  readonly expect: {
    readonly status: string;
    readonly value?: unknown;
    readonly code?: string;
    readonly errorContains?: string;
    readonly output?: unknown;
    /** What follows the waits. */
    readonly then?: Program["expect"];
    readonly limits?: CodeModeConfigInput;
  };
}

/** What a program comes to here, whole; `waiting` is what comes before it. */
export interface ExpectedResult {
  readonly waiting?: object;
  readonly result: object;
  /** Why the result is not what the corpus expects word by word. */
  readonly decision?: string;
}

function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/cases/${name}`, import.meta.url), "utf8"));
}

export const PROGRAMS = readFixture("program-cases.json") as readonly Program[];
export const EXPECTED = readFixture("program-results.json") as Readonly<Record<string, ExpectedResult>>;

/** As the description of the corpus's tools names them. */
export const STUB_TOOL_NAMES = Object.keys(readFixture("stub-tools.json") as object);
