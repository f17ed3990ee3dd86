import type { Interruption } from "./program-io.js";

/** Exit codes of the program. They are part of its interface. */
export const EXIT_CODES = {
  /** The cell completed and every configured server could be used. */
  completed: 0,
  /** The cell failed. */
  cellFailed: 1,
  /** The command line, a file or Node's version cannot be used; nothing was run. */
  badInput: 2,
  /** The cell completed, but a configured MCP server could not be used. */
  serverLost: 3,
  /** The time limit passed before the cell was done. */
  outOfTime: 4,
  /** A fault of the program itself, or its output could not be written. */
  fault: 5,
  /** Ended by SIGHUP, SIGINT or SIGTERM: 128 plus the signal's number. */
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Exit code of each signal the program listens to. */
export const SIGNAL_EXIT_CODES: Readonly<Record<Interruption["signal"], ExitCode>> = {
  SIGHUP: EXIT_CODES.hangup,
  SIGINT: EXIT_CODES.interrupted,
  SIGTERM: EXIT_CODES.terminated,
};

const INTERRUPTED_HELP = "  130  interrupted (129 and 143: ended by SIGHUP and SIGTERM)";

/** The table as the help shows it. */
export const EXIT_CODE_HELP = [
  "  0    the cell completed",
  "  1    the cell failed",
  "  2    the command line, a file or Node's version cannot be used; nothing was run",
  "  3    the cell completed, but an MCP server could not be used",
  "  4    the time limit passed before the cell was done",
  "  5    a fault of codemode itself, or its output could not be written",
  INTERRUPTED_HELP,
].join("\n");

/** The same of the commands that show something and run no cell. */
export const SHOWN_EXIT_CODE_HELP = [
  "  0    shown",
  "  2    the command line, a file or Node's version cannot be used",
  "  3    shown, but an MCP server could not be used",
  "  5    a fault of codemode itself",
  INTERRUPTED_HELP,
].join("\n");
