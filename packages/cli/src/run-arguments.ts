import { CodeModeError, describeValue, type CellLanguage } from "@codemode/protocol";
import { isStdinArgument } from "./stdin-argument.js";

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

export const DEFAULT_TIMEOUT_MS = 300_000;
export const DEFAULT_START_TIMEOUT_MS = 15_000;
const MIN_TIME_MS = 100;
const MAX_TIME_MS = 86_400_000;

/** @throws {CodeModeError} `invalid_argument`, with one line that names the argument. */
export function readRunArguments(
  file: string | number | undefined,
  options: Readonly<Record<string, unknown>>,
): RunArguments {
  const source = sourceArgument(file, options["--"]);
  const isTypeScript = options["ts"] === true || /\.[cm]?ts$/.test(source ?? "");
  return {
    file: source === undefined || isStdinArgument(source) ? undefined : source,
    isStdinNamed: source !== undefined && isStdinArgument(source),
    language: isTypeScript ? "typescript" : "javascript",
    mcpFile: textOption(options, "mcp"),
    isJson: options["json"] === true,
    timeoutMs: timeOption(options, "timeout", DEFAULT_TIMEOUT_MS),
    startTimeoutMs: timeOption(options, "start-timeout", DEFAULT_START_TIMEOUT_MS),
  };
}

/** A file whose name starts with a dash comes behind `--`. */
function sourceArgument(file: string | number | undefined, behindDashes: unknown): string | undefined {
  const files = [
    ...(file === undefined ? [] : [String(file)]),
    ...(Array.isArray(behindDashes) ? behindDashes.map(String) : []),
  ];
  if (files.length > 1) throw invalid("file", `only one file can be run, not also ${describeValue(files[1])}`);
  return files[0];
}

function textOption(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = once(options[name], name);
  if (value === undefined) return undefined;
  // The parser makes numbers of what looks like one.
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw invalid(`--${name}`, "needs the path of a file");
}

function timeOption(options: Readonly<Record<string, unknown>>, name: string, defaultMs: number): number {
  const key = name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const value = once(options[key], name) ?? defaultMs;
  if (typeof value === "number" && Number.isInteger(value) && value >= MIN_TIME_MS && value <= MAX_TIME_MS)
    return value;
  throw invalid(
    `--${name}`,
    `must be a whole number of milliseconds from ${MIN_TIME_MS} to ${MAX_TIME_MS}, not ${describeValue(value)}`,
  );
}

function once(value: unknown, name: string): unknown {
  if (Array.isArray(value)) throw invalid(`--${name}`, "may be given only once");
  return value;
}

function invalid(path: string, problem: string): CodeModeError {
  const message = path === "file" ? `${problem}.` : `${path} ${problem}.`;
  return new CodeModeError("invalid_argument", message, { path, problem });
}
