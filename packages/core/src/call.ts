import type { CodeModeResult } from "@codemode/protocol";
import { assembleResult } from "./assemble-result.js";
import type { BegunCall } from "./begin-call.js";
import type { Cell } from "./cell.js";
import { cancelledFailure, hostFailure } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import type { RunRegistry } from "./run-registry.js";

export interface CallEnvironment {
  readonly call: BegunCall;
  readonly registry: RunRegistry;
}

/**
 * One exec or wait on a cell, until its result. Ends the call's budget. The caller's signal stops the cell while the call lasts
 * and has no power over it afterwards. A failed call has freed everything before it returns.
 */
export async function conductCall(
  cell: Cell,
  { call, registry }: CallEnvironment,
  work: () => Promise<CellOutcome>,
): Promise<CodeModeResult> {
  const { deadline } = call;
  const { signal, toolCallId, onUpdate } = call.context;
  const before = { guestMs: cell.guestMs, toolsMs: cell.toolsMs };
  call.ringAtMargin(cell.bell);
  cell.attach({
    deadline,
    span: call.span,
    ...(toolCallId === undefined ? {} : { parentId: toolCallId }),
    onUpdate: (update) => observe(cell, () => onUpdate?.(update)),
  });
  const withdraw = cell.run.host.signals.onAbort(signal, () => cell.stop(cancelledFailure()));
  let outcome = await work().catch((error: unknown) => failedOutcome(hostFailure(error)));
  withdraw();
  if (cell.stopped !== undefined && outcome.type !== "completed") outcome = failedOutcome(cell.stopped);
  cell.telemetry.addTiming({
    guestMs: cell.guestMs - before.guestMs,
    toolsMs: cell.toolsMs - before.toolsMs,
    peopleMs: deadline.suspendedMs(),
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
