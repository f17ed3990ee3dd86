import { CodeModeError } from "@codemode/protocol";
import type { ServerTimes } from "./mcp-config.js";
import type { MonotonicClock } from "./restart-backoff.js";
import type { Revival } from "./server-lives.js";
import type { McpLogEntry } from "./server-notes.js";
import { isTimerMs, TIMER_RANGE } from "./timer-range.js";

/** A server was started again after it was gone: what it held before, such as logins or open files, is lost. */
export interface McpReconnectEvent extends Revival {
  /** As configured. */
  readonly server: string;
}

/** How servers are started and talked to. */
export interface McpConnectOptions {
  /** How this client introduces itself. Default `codemode` with this package's version. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Time for start, handshake and listing of one server, in ms. Default 15_000. */
  readonly startTimeoutMs?: number;
  /** For a request for resources or prompts, standing still at questions, and for listing tools anew, in ms. Default 60_000. */
  readonly requestTimeoutMs?: number;
  /**
   * For one tool call without an answer or a word of progress, in ms; stands still while a question to its run is open.
   * Default: its signal alone ends it.
   */
  readonly callTimeoutMs?: number;
  /** Patience of `close` after closing a server's input, and again after SIGTERM, in ms. Default 2_000. */
  readonly closeGraceMs?: number;
  /**
   * Largest message a server may send, in bytes; a larger answer fails its call only. Default 16 MiB: reading that much
   * JSON can hold up this thread for some tenths of a second.
   */
  readonly maxMessageBytes?: number;
  /** Tail of a server's standard error that is kept for messages, in bytes. Default 16 KiB. */
  readonly maxStderrBytes?: number;
  /** Tools taken from one server; further ones are left out and reported. Default 10_000. */
  readonly maxToolsPerServer?: number;
  /** Pages read of one server's list. Default 200. */
  readonly maxListPages?: number;
  /** Told what servers log. The texts are untrusted. Must not throw. Default: nobody is. */
  readonly onLog?: (entry: McpLogEntry) => void;
  /** Whether a server that is gone is started again by the next call to it. Default true. */
  readonly reconnect?: boolean;
  /** Told that a server was started again. An error it throws becomes a process warning. Default: nobody is. */
  readonly onReconnect?: (event: McpReconnectEvent) => void;
  /** What pauses between restarts are counted by. Default: the monotonic clock of the process. */
  readonly clock?: MonotonicClock;
  /**
   * Whether servers may ask a person while they answer a call: the approval gate of the call's run gets the question.
   * Servers are told at the handshake. Default false.
   */
  readonly elicitation?: boolean;
  /** Ends the attempt to connect; servers started by then are closed. */
  readonly signal?: AbortSignal;
}

type Numbers =
  | "startTimeoutMs"
  | "requestTimeoutMs"
  | "closeGraceMs"
  | "maxMessageBytes"
  | "maxStderrBytes"
  | "maxToolsPerServer"
  | "maxListPages";
/** The options' numbers, complete: only a call's time may be unlimited. */
export type McpLimits = { readonly [Name in Numbers]: number } & { readonly callTimeoutMs: number | undefined };

const DEFAULTS: { readonly [Name in Numbers]: number } = {
  startTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  closeGraceMs: 2_000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxStderrBytes: 16 * 1024,
  maxToolsPerServer: 10_000,
  maxListPages: 200,
};

/** @throws {CodeModeError} `invalid_argument` for a number that is not a positive integer in a timer's range. */
export function resolveLimits(options: McpConnectOptions): McpLimits {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as Numbers[]) {
    limits[name] = checked(name, options[name] ?? DEFAULTS[name]);
  }
  const { callTimeoutMs } = options;
  return {
    ...limits,
    callTimeoutMs: callTimeoutMs === undefined ? undefined : checked("callTimeoutMs", callTimeoutMs),
  };
}

function checked(name: string, value: number): number {
  if (isTimerMs(value)) return value;
  const problem = `must be ${TIMER_RANGE}`;
  throw new CodeModeError("invalid_argument", `${name} ${problem}.`, { path: name, problem });
}

/** The limits of one server: what its configuration says goes first. */
export function limitsOf(server: ServerTimes, limits: McpLimits): McpLimits {
  return {
    ...limits,
    startTimeoutMs: server.startTimeoutMs ?? limits.startTimeoutMs,
    requestTimeoutMs: server.requestTimeoutMs ?? limits.requestTimeoutMs,
    callTimeoutMs: server.callTimeoutMs ?? limits.callTimeoutMs,
  };
}
