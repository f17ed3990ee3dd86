import { CodeModeError, describeValue, type CellLanguage } from "@codemode/protocol";
import { invalidArgument, type OptionTable, type ParsedArguments } from "./parse-arguments.js";

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
}

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_START_TIMEOUT_MS = 15_000;
const MIN_TIME_MS = 100;
const MAX_TIME_MS = 86_400_000;
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
  "start-timeout": {
    value: "ms",
    description: `Time for each MCP server to start (default: ${DEFAULT_START_TIMEOUT_MS})`,
  },
};

/** @throws {CodeModeError} `invalid_argument`, with one line that names the argument. */
export function readRunArguments({ positionals, flags, values }: ParsedArguments): RunArguments {
  const source = sourceArgument(positionals);
  const mcpFile = values.get("mcp");
  if (mcpFile === "") throw invalidArgument("--mcp", "needs the path of a file");
  return {
    file: source === STDIN ? undefined : source,
    isStdinNamed: source === STDIN,
    language: flags.has("ts") || /\.[cm]?tsx?$/i.test(source ?? "") ? "typescript" : "javascript",
    mcpFile,
    isJson: flags.has("json"),
    timeoutMs: timeOption("timeout", values, DEFAULT_TIMEOUT_MS),
    startTimeoutMs: timeOption("start-timeout", values, DEFAULT_START_TIMEOUT_MS),
  };
}

function sourceArgument([source, second]: readonly string[]): string | undefined {
  if (second !== undefined) throw invalidFile(`only one file can be run, not also ${describeValue(second)}`);
  if (source === "") throw invalidFile("the path of the source is empty; name a file, or - for standard input");
  return source;
}

function timeOption(name: string, values: ParsedArguments["values"], defaultMs: number): number {
  const text = values.get(name);
  if (text === undefined) return defaultMs;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= MIN_TIME_MS && value <= MAX_TIME_MS) return value;
  throw invalidArgument(
    `--${name}`,
    `must be a whole number of milliseconds from ${MIN_TIME_MS} to ${MAX_TIME_MS}, not ${describeValue(text)}`,
  );
}

function invalidFile(problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${problem}.`, { path: "file", problem });
}
