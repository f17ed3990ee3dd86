import type { CodeModeResult } from "@codemode/core";
import type { FrontClock } from "../front-clock.js";
import { performCall, type CallSetting, type FrontCall } from "../perform-call.js";

/** Warnings of all parts of a result; further ones are left out. */
const MAX_WARNINGS = 32;

/** A program that hands control back again and again gets it later each time, so that it keeps no thread busy. In ms. */
const YIELD_PAUSE_MS = { first: 20, most: 1_000 };

/**
 * Goes on with a program through as many waits as it takes. The result is that of the whole program, with what earlier
 * parts delivered.
 *
 * @throws what the run throws
 */
export async function waitToEnd(
  setting: CallSetting,
  first: CodeModeResult,
  control: Pick<FrontCall, "signal" | "listener" | "route">,
): Promise<CodeModeResult> {
  let result = first;
  let pauseMs = YIELD_PAUSE_MS.first;
  while (result.status === "waiting") {
    if (result.reason === "yield") {
      await pause(setting.host.clock, pauseMs, control.signal);
      pauseMs = Math.min(YIELD_PAUSE_MS.most, pauseMs * 2);
    }
    const next = await performCall(setting, { ...control, name: "wait", input: { runId: result.runId } });
    result = joined(result, next);
  }
  return result;
}

/** Ends early with the signal: the next wait then ends the cell. */
async function pause(clock: FrontClock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let end = (): void => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  const cancel = clock.schedule(end, ms);
  signal.addEventListener("abort", end);
  await over;
  cancel();
  signal.removeEventListener("abort", end);
}

/** A later part with what an earlier one delivered. Output is bounded over all parts of a run. */
function joined(earlier: CodeModeResult, later: CodeModeResult): CodeModeResult {
  const output = [...(earlier.output ?? []), ...(later.output ?? [])];
  const warnings = [...new Set([...(earlier.warnings ?? []), ...(later.warnings ?? [])])].slice(0, MAX_WARNINGS);
  return {
    ...later,
    ...(output.length === 0 ? {} : { output }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
