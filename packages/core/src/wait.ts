import type { AcquireOutcome, CodeModeResult, RunScope, SnapshotLease, WaitInput } from "@codemode/protocol";
import { refusedResult } from "./assemble-result.js";
import { conductCall } from "./call.js";
import type { Cell } from "./cell.js";
import { driveCell, waitForNews } from "./drive.js";
import { abortedFailure, inputFailure, MESSAGES } from "./failures.js";
import type { CallContext } from "./options.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { startParked } from "./pressure.js";
import type { RunContext } from "./run-context.js";
import type { RunRegistry } from "./run-registry.js";

type RefusalReason = Extract<AcquireOutcome, { status: "refused" }>["reason"];

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  unavailable: MESSAGES.unavailable,
  wrong_agent_run: MESSAGES.wrongAgentRun,
  wrong_session: MESSAGES.wrongSession,
  in_flight: MESSAGES.inFlight,
};

/** Goes on with a parked cell when something it waits for has settled. Blocks until the cell rests or its deadline. */
export async function wait(
  { run, registry }: { readonly run: RunContext; readonly registry: RunRegistry },
  input: WaitInput,
  context: CallContext,
): Promise<CodeModeResult> {
  const runId: unknown = (input as Partial<WaitInput> | undefined)?.runId;
  if (typeof runId !== "string" || runId.trim() === "") return refuse(run, MESSAGES.runIdMissing);
  const acquired = await run.host.store.acquire(runId, scopeOf(run, context));
  const { closedReason } = run.lifetime;
  if (closedReason !== undefined) return refusedResult(run.catalog().telemetry, abortedFailure(closedReason));
  if (acquired.status === "refused") return refuse(run, REFUSALS[acquired.reason]);
  const cell = registry.find(runId);
  // A cell that has a call is parked already, but the call that parked it is not over yet.
  if (cell === undefined || cell.call !== undefined) {
    await run.host.store.release(acquired.lease);
    return refuse(run, cell === undefined ? MESSAGES.unavailable : MESSAGES.inFlight);
  }
  cell.lease = acquired.lease;
  cell.telemetry.countWait();
  registry.unhold(cell);
  return conductCall(cell, { context, registry }, () => resume(cell, runId));
}

async function resume(cell: Cell, runId: string): Promise<CellOutcome> {
  const { store, emit } = cell.run.host;
  const { lease } = cell;
  if (lease === undefined) throw new TypeError("a cell is resumed without its lease");
  cell.work.settleYields();
  const news = await waitForNews(cell);
  if (cell.stopped !== undefined) return failedOutcome(cell.stopped);
  if (news === "margin") return staysParked(cell, lease);
  const parked = await store.read(lease);
  if (parked === undefined) return failedOutcome(inputFailure(MESSAGES.unavailable));
  const first = await startParked(cell, parked);
  if (first.type === "refused" && cell.stopped === undefined) return staysParked(cell, lease);
  emit({ type: "cell-resume", cellId: cell.id, runId });
  return driveCell(cell, first);
}

/** Nothing ran; the run goes on waiting as it was. */
async function staysParked(cell: Cell, lease: SnapshotLease): Promise<CellOutcome> {
  await cell.run.host.store.release(lease);
  cell.lease = undefined;
  return { type: "waiting", reason: "pending_tools" };
}

function refuse(run: RunContext, message: string): CodeModeResult {
  const { telemetry } = run.catalog();
  telemetry.countWait();
  return refusedResult(telemetry, inputFailure(message));
}

/** Who asks: the run's own scope, unless the host says otherwise. */
function scopeOf({ scope }: RunContext, { agentRunId, sessionId }: CallContext): RunScope {
  return {
    ...scope,
    ...(agentRunId === undefined ? {} : { agentRunId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}
