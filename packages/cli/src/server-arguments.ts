import { describeValue } from "@codemode/protocol";
import { invalidArgument, type OptionTable, type ParsedArguments } from "./parse-arguments.js";

/** Arguments of every command that needs the servers of a file. */
export interface ServerArguments {
  readonly mcpFile: string;
  /** For each MCP server, in ms. */
  readonly startTimeoutMs: number;
}

const DEFAULT_START_TIMEOUT_MS = 15_000;
const MIN_TIME_MS = 100;
/** A day, in ms. */
export const MAX_TIME_MS = 86_400_000;

export const START_TIMEOUT_OPTION: OptionTable = {
  "start-timeout": {
    value: "ms",
    description: `Time for each MCP server to start (default: ${DEFAULT_START_TIMEOUT_MS})`,
  },
};

/** Not on by default: what a server logs may hold anything it was given. */
export const SERVER_LOGS_OPTION: OptionTable = {
  "server-logs": { description: "Show what the MCP servers log, on standard error; it may hold inputs and secrets" },
};

export const SERVER_OPTIONS: OptionTable = {
  mcp: { value: "file", description: "The MCP servers, in the mcpServers format that MCP clients share" },
  ...START_TIMEOUT_OPTION,
};

type Values = ParsedArguments["values"];

/**
 * @param command - For the hint at its help.
 * @throws {CodeModeError} `invalid_argument`, with one line that names the argument.
 */
export function readServerArguments({ positionals, values }: ParsedArguments, command: string): ServerArguments {
  const [extra] = positionals;
  if (extra !== undefined) {
    throw invalidArgument(describeValue(extra), `is no option of ${command}; see ${command} --help`);
  }
  const mcpFile = mcpFileOf(values);
  if (mcpFile === undefined) throw invalidArgument("--mcp", "is missing; name the file with your MCP servers");
  return { mcpFile, startTimeoutMs: readStartTimeout(values) };
}

/** @throws {CodeModeError} `invalid_argument` */
export function mcpFileOf(values: Values): string | undefined {
  const mcpFile = values.get("mcp");
  if (mcpFile === "") throw invalidArgument("--mcp", "needs the path of a file");
  return mcpFile;
}

/** @throws {CodeModeError} `invalid_argument` */
export function readStartTimeout(values: Values): number {
  return timeOption("start-timeout", values, { default: DEFAULT_START_TIMEOUT_MS, max: MAX_TIME_MS });
}

/** A number of milliseconds from 100 to `max`. @throws {CodeModeError} `invalid_argument` */
export function timeOption(
  name: string,
  values: Values,
  { default: defaultMs, max }: { readonly default: number; readonly max: number },
): number {
  const text = values.get(name);
  if (text === undefined) return defaultMs;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= MIN_TIME_MS && value <= max) return value;
  const range = `a whole number of milliseconds from ${MIN_TIME_MS} to ${max}`;
  throw invalidArgument(`--${name}`, `must be ${range}, not ${describeValue(text)}`);
}
