import { installedDependencies } from "./dependencies.js";
import { EXIT_CODES, SIGNAL_EXIT_CODES } from "./exit-codes.js";
import { main } from "./main.js";
import { SIGNALS, type Interruption, type ProgramIo } from "./program-io.js";

/** Time after an interruption for a read that cannot be given up; then the signal ends the process, in ms. */
const LAST_READ_MS = 500;

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
  const output = watchOutput();
  const io: ProgramIo = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: () => performance.now(),
    interruption: interruption.signal,
  };
  const code = await main(process.argv.slice(2), io, installedDependencies);
  process.exitCode = output.isLost() ? EXIT_CODES.fault : code;
  for (const signal of SIGNALS) process.off(signal, onSignal);
  if (interruption.signal.aborted) endBlockedRead(interruption.signal.reason as Interruption);
}

/**
 * Sets the exit code when output cannot be written, and says so once. A reader such as `head` that has enough is no
 * fault.
 */
function watchOutput(): { isLost(): boolean } {
  let isLost = false;
  const onError = (name: string) => (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isLost) return;
    isLost = true;
    process.exitCode = EXIT_CODES.fault;
    process.stderr.write(`codemode: ${name} could not be written (${error.code ?? error.message}).\n`);
  };
  process.stdout.on("error", onError("standard output"));
  process.stderr.on("error", onError("standard error"));
  return { isLost: () => isLost };
}

/** A pipe that nobody writes to blocks a thread, and Node waits for that even in `process.exit`. */
function endBlockedRead({ signal }: Interruption): void {
  setTimeout(() => process.kill(process.pid, signal), LAST_READ_MS).unref();
}
