import type { Readable } from "node:stream";

/** A stream that text is written to. */
export interface TextOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Everything of the process that commands use, so that tests can stand in for it. */
export interface ProgramIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, monotonic. */
  now(): number;
  /** Aborts when the user or the system asks the program to end; the reason is an `Interruption`. */
  readonly interruption: AbortSignal;
}

export const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Why `interruption` aborted. */
export interface Interruption {
  readonly signal: (typeof SIGNALS)[number];
}

/** Whether escape sequences may be sent to a stream. */
export function isTerminal(stream: TextOutput, env: ProgramIo["env"]): boolean {
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
