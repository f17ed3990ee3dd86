import type { CodeModeResult } from "@codemode/protocol";
import { assembleResult } from "./assemble-result.js";
import { createCallDeadline } from "./call-deadline.js";
import type { Cell } from "./cell.js";
import { abortedFailure, hostFailure } from "./failures.js";
import type { CallContext } from "./options.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import type { RunRegistry } from "./run-registry.js";

export interface CallEnvironment {
  readonly context: CallContext;
  readonly registry: RunRegistry;
}

/**
 * One exec or wait on a cell, from its deadline to its result. The caller's signal stops the cell while the call lasts
 * and has no power over it afterwards. A failed call has freed everything before it returns.
 */
export async function conductCall(
  cell: Cell,
  { context, registry }: CallEnvironment,
  work: () => Promise<CellOutcome>,
): Promise<CodeModeResult> {
  const { clock } = cell.run.host;
  const { signal, toolCallId, onUpdate } = context;
  const before = { guestMs: cell.guestMs, waitedMs: cell.waitedMs };
  const deadline = createCallDeadline({
    clock,
    timeoutMs: cell.run.limits.timeoutMs,
    onMargin: () => cell.bell.ring(),
  });
  const onAbort = (): void => cell.stop(abortedFailure("the call was cancelled"));
  cell.attach({
    deadline,
    ...(toolCallId === undefined ? {} : { parentId: toolCallId }),
    onUpdate: (update) => observe(cell, () => onUpdate?.(update)),
  });
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  let outcome = await work().catch((error: unknown) => failedOutcome(hostFailure(error)));
  signal?.removeEventListener("abort", onAbort);
  if (cell.stopped !== undefined && outcome.type !== "completed") outcome = failedOutcome(cell.stopped);
  const peopleMs = deadline.suspendedMs();
  cell.telemetry.addTiming({
    guestMs: cell.guestMs - before.guestMs,
    toolsMs: Math.max(0, cell.waitedMs - before.waitedMs - peopleMs),
    peopleMs,
  });
  deadline.dispose();
  cell.detach();
  const result = assembleResult(cell, outcome);
  if (result.status === "waiting") registry.hold(cell);
  else await cell.release(result.status, result.status === "failed" ? result.code : undefined);
  return result;
}

/** What an observer throws must not become the failure of the tool that reports. */
function observe(cell: Cell, notify: () => void): void {
  try {
    notify();
  } catch (error) {
    cell.run.host.reportFault(error);
  }
}
