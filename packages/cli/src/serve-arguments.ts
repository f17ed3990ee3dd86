import { describeValue } from "@codemode/protocol";
import { invalidArgument, type OptionTable, type ParsedArguments } from "./parse-arguments.js";
import type { ProgramIo } from "./program-io.js";
import {
  readServerArguments,
  SERVER_LOGS_OPTION,
  SERVER_OPTIONS,
  timeOption,
  type ServerArguments,
} from "./server-arguments.js";

/** The arguments of `codemode serve`, checked. */
export interface ServeArguments extends ServerArguments {
  /** Undefined: standard input and output. */
  readonly http: HttpArguments | undefined;
  /** Of one exec or wait, in ms; undefined: the configuration's default. */
  readonly timeoutMs: number | undefined;
  /** Whether what the servers log is shown. */
  readonly showsLogs: boolean;
}

export interface HttpArguments {
  readonly port: number;
  readonly host?: string;
  readonly token?: string;
  readonly allowedHosts: readonly string[];
}

/** Variable that holds the bearer token: an argument would show in the list of processes. */
export const TOKEN_VARIABLE = "CODEMODE_TOKEN";
/** Longest single exec or wait the configuration allows, in ms. */
const MAX_STEP_MS = 60_000;

export const SERVE_OPTIONS: OptionTable = {
  ...SERVER_OPTIONS,
  http: {
    value: "port",
    description: "Serve streamable HTTP on this port (0: any free one) instead of standard input",
  },
  host: { value: "address", description: `Address to listen on (default: 127.0.0.1; others need ${TOKEN_VARIABLE})` },
  "allow-host": { value: "names", description: "Host names clients may use besides localhost, separated by commas" },
  ...SERVER_LOGS_OPTION,
  timeout: { value: "ms", description: "Time of one exec or wait; then its result says waiting (default: 10000)" },
};

/** @throws {CodeModeError} `invalid_argument`, with one line that names the argument. */
export function readServeArguments(args: ParsedArguments, env: ProgramIo["env"]): ServeArguments {
  const { values } = args;
  const servers = readServerArguments(args, "codemode serve");
  const timeoutMs = values.has("timeout")
    ? timeOption("timeout", values, { default: MAX_STEP_MS, max: MAX_STEP_MS })
    : undefined;
  return { ...servers, http: readHttp(values, env), timeoutMs, showsLogs: args.flags.has("server-logs") };
}

function readHttp(values: ParsedArguments["values"], env: ProgramIo["env"]): HttpArguments | undefined {
  const port = values.get("http");
  const host = values.get("host");
  const names = values.get("allow-host");
  if (port === undefined) {
    const [stray] = ["host", "allow-host"].filter((name) => values.has(name));
    if (stray !== undefined) throw invalidArgument(`--${stray}`, "counts only with --http; add --http <port>");
    return undefined;
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw invalidArgument("--http", `must be a port from 0 to 65535, not ${describeValue(port)}`);
  }
  const token = env[TOKEN_VARIABLE] ?? "";
  return {
    port: Number(port),
    ...(host === undefined ? {} : { host }),
    ...(token === "" ? {} : { token }),
    allowedHosts: (names ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  };
}
