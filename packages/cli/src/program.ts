import { installedDependencies } from "./dependencies.js";
import { SIGNAL_EXIT_CODES } from "./exit-codes.js";
import { main } from "./main.js";
import { SIGNALS, type Interruption, type ProgramIo } from "./program-io.js";

/**
 * Runs the program in this process. The process ends by itself once everything is closed. The first signal asks for
 * that; a second one does not wait for it.
 */
export async function runProgram(): Promise<void> {
  const interruption = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    const reason: Interruption = { signal: signal as Interruption["signal"] };
    if (interruption.signal.aborted) process.exit(SIGNAL_EXIT_CODES[reason.signal]);
    interruption.abort(reason);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // A reader such as `head` that has enough is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  const io: ProgramIo = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: () => performance.now(),
    interruption: interruption.signal,
  };
  process.exitCode = await main(process.argv.slice(2), io, installedDependencies);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
