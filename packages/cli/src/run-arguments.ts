import { CodeModeError, describeValue, type CellLanguage } from "@codemode/protocol";
import type { OptionTable, ParsedArguments } from "./parse-arguments.js";
import {
  MAX_TIME_MS,
  mcpFileOf,
  readStartTimeout,
  SERVER_LOGS_OPTION,
  START_TIMEOUT_OPTION,
  timeOption,
} from "./server-arguments.js";

/** The arguments of `codemode run`, checked. */
export interface RunArguments {
  /** Path of the source; undefined for standard input. */
  readonly file: string | undefined;
  /** Whether standard input was asked for by name. */
  readonly isStdinNamed: boolean;
  readonly language: CellLanguage;
  readonly mcpFile: string | undefined;
  readonly isJson: boolean;
  /** For the cell, waits included, in ms. */
  readonly timeoutMs: number;
  /** For each MCP server, in ms. */
  readonly startTimeoutMs: number;
  /** Whether what the servers log is shown. */
  readonly showsLogs: boolean;
}

const DEFAULT_TIMEOUT_MS = 300_000;
/** Stands for standard input where a file is named. */
const STDIN = "-";

export const RUN_OPTIONS: OptionTable = {
  mcp: { value: "file", description: "MCP servers whose tools the cell may call, in the mcpServers format" },
  ts: { description: "The cell is TypeScript; a file named .ts is anyway" },
  json: { description: "Print the whole result as one line of JSON instead of its value" },
  timeout: {
    value: "ms",
    description: `Time for the cell, continued by wait until then (default: ${DEFAULT_TIMEOUT_MS})`,
  },
  ...START_TIMEOUT_OPTION,
  ...SERVER_LOGS_OPTION,
};

/** @throws {CodeModeError} `invalid_argument`, with one line that names the argument. */
export function readRunArguments({ positionals, flags, values }: ParsedArguments): RunArguments {
  const source = sourceArgument(positionals);
  return {
    file: source === STDIN ? undefined : source,
    isStdinNamed: source === STDIN,
    language: flags.has("ts") || /\.[cm]?tsx?$/i.test(source ?? "") ? "typescript" : "javascript",
    mcpFile: mcpFileOf(values),
    isJson: flags.has("json"),
    timeoutMs: timeOption("timeout", values, { default: DEFAULT_TIMEOUT_MS, max: MAX_TIME_MS }),
    startTimeoutMs: readStartTimeout(values),
    showsLogs: flags.has("server-logs"),
  };
}

function sourceArgument([source, second]: readonly string[]): string | undefined {
  if (second !== undefined) throw invalidFile(`only one file can be run, not also ${describeValue(second)}`);
  if (source === "") throw invalidFile("the path of the source is empty; name a file, or - for standard input");
  return source;
}

function invalidFile(problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${problem}.`, { path: "file", problem });
}
