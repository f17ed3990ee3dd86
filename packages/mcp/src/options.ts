import { CodeModeError } from "@codemode/protocol";
import type { McpLogEntry } from "./server-notes.js";

/** How servers are started and talked to. */
export interface McpConnectOptions {
  /** How this client introduces itself. Default `codemode` with this package's version. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Time for start, handshake and listing of one server, in ms. Default 15_000. */
  readonly startTimeoutMs?: number;
  /** Time for one request for resources or prompts, in ms. Default 60_000. Tool calls end with their signal. */
  readonly requestTimeoutMs?: number;
  /** Patience of `close` after closing a server's input, and again after SIGTERM, in ms. Default 2_000. */
  readonly closeGraceMs?: number;
  /** Largest message a server may send, in bytes; a larger answer fails its call only. Default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Tail of a server's standard error that is kept for messages, in bytes. Default 16 KiB. */
  readonly maxStderrBytes?: number;
  /** Tools taken from one server; further ones are left out and reported. Default 10_000. */
  readonly maxToolsPerServer?: number;
  /** Pages read of one server's list. Default 200. */
  readonly maxListPages?: number;
  /** Told what servers log. The texts are untrusted. Must not throw. Default: nobody is. */
  readonly onLog?: (entry: McpLogEntry) => void;
  /**
   * Whether servers may ask a person while they answer a call: the approval gate of the call's run gets the question.
   * Servers are told at the handshake. Default false.
   */
  readonly elicitation?: boolean;
  /** Ends the attempt to connect; servers started by then are closed. */
  readonly signal?: AbortSignal;
}

/** Largest delay a timer of Node takes, in ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

type Numbers =
  | "startTimeoutMs"
  | "requestTimeoutMs"
  | "closeGraceMs"
  | "maxMessageBytes"
  | "maxStderrBytes"
  | "maxToolsPerServer"
  | "maxListPages";
/** The options' numbers, complete. */
export type McpLimits = { readonly [Name in Numbers]: number };

const DEFAULTS: McpLimits = {
  startTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  closeGraceMs: 2_000,
  maxMessageBytes: 64 * 1024 * 1024,
  maxStderrBytes: 16 * 1024,
  maxToolsPerServer: 10_000,
  maxListPages: 200,
};

/** @throws {CodeModeError} `invalid_argument` for a number that is not a positive integer in a timer's range. */
export function resolveLimits(options: McpConnectOptions): McpLimits {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as Numbers[]) {
    const value = options[name] ?? DEFAULTS[name];
    if (!Number.isInteger(value) || value < 1 || value > MAX_TIMER_MS) {
      const problem = `must be a whole number from 1 to ${MAX_TIMER_MS}`;
      throw new CodeModeError("invalid_argument", `${name} ${problem}.`, { path: name, problem });
    }
    limits[name] = value;
  }
  return limits;
}
