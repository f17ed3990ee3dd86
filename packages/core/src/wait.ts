import type {
  AcquireOutcome,
  CellFailure,
  CodeModeResult,
  RunScope,
  SnapshotLease,
  WaitInput,
} from "@codemode/protocol";
import { refusedResult } from "./assemble-result.js";
import { beginCall, type BegunCall } from "./begin-call.js";
import { conductCall } from "./call.js";
import type { Cell } from "./cell.js";
import { driveCell, waitForNews } from "./drive.js";
import type { CallSetting } from "./exec.js";
import { abortedFailure, hostFailure, inputFailure, lostFailure, MESSAGES } from "./failures.js";
import type { CallContext } from "./options.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { readParked, renewParked } from "./park.js";
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
  { run, registry, span }: CallSetting,
  input: WaitInput,
  context: CallContext,
): Promise<CodeModeResult> {
  const runId: unknown = (input as Partial<WaitInput> | undefined)?.runId;
  if (typeof runId !== "string" || runId.trim() === "") return refuse(run, inputFailure(MESSAGES.runIdMissing));
  const call = beginCall(run, context, span);
  try {
    return await waitFor({ run, registry, call }, runId);
  } finally {
    call.deadline.dispose();
  }
}

interface WaitSetting {
  readonly run: RunContext;
  readonly registry: RunRegistry;
  readonly call: BegunCall;
}

async function waitFor(setting: WaitSetting, runId: string): Promise<CodeModeResult> {
  const { run, registry, call } = setting;
  const acquired = await acquire(setting, runId);
  const { closedReason } = run.lifetime;
  if (closedReason !== undefined) return refusedResult(run, abortedFailure(closedReason));
  if (acquired.status === "failed") return refuse(run, acquired.failure);
  if (acquired.status === "refused") return refuse(run, inputFailure(REFUSALS[acquired.reason]));
  const cell = registry.find(runId);
  // A cell that has a call is parked already, but the call that parked it is not over yet.
  if (cell === undefined || cell.call !== undefined) {
    await giveBack(setting, acquired.lease);
    return refuse(run, inputFailure(cell === undefined ? MESSAGES.unavailable : MESSAGES.inFlight));
  }
  cell.lease = acquired.lease;
  cell.telemetry.countWait();
  registry.unhold(cell);
  return conductCall(cell, { call, registry }, () => resume(cell, runId));
}

type Acquired = AcquireOutcome | { readonly status: "failed"; readonly failure: CellFailure };

/** Takes the lease, within the call. A lease that comes too late is not kept; a cancelled caller's run ends with it. */
async function acquire({ run, registry, call }: WaitSetting, runId: string): Promise<Acquired> {
  const { store } = run.host;
  try {
    return await call.within({
      what: "the snapshot store",
      work: () => store.acquire(runId, scopeOf(run, call.context)),
      async onLate(late) {
        if (late.status === "refused") return;
        const cell = registry.find(runId);
        const isFree = cell !== undefined && cell.call === undefined;
        if (isFree && call.context.signal?.aborted === true) await cell.end("the call was cancelled");
        else await store.release(late.lease);
      },
    });
  } catch (error) {
    return { status: "failed", failure: hostFailure(error) };
  }
}

/** Gives a lease back that is not used, within the call. Never rejects: a store that fails is reported as a fault. */
async function giveBack({ run, call }: WaitSetting, lease: SnapshotLease): Promise<void> {
  const { store, reportFault } = run.host;
  await call.within({ what: "the snapshot store", work: () => store.release(lease) }).catch(reportFault);
}

async function resume(cell: Cell, runId: string): Promise<CellOutcome> {
  cell.work.settleYields();
  const news = await waitForNews(cell);
  if (cell.stopped !== undefined) return failedOutcome(cell.stopped);
  const parked = await readParked(cell);
  if (cell.stopped !== undefined) return failedOutcome(cell.stopped);
  if (parked === undefined) return failedOutcome(lostFailure());
  if (news === "margin") return renewParked(cell, { runId, parked });
  const first = await startParked(cell, parked);
  if (first.type === "refused" && cell.stopped === undefined) return renewParked(cell, { runId, parked });
  if (cell.stopped === undefined) cell.run.host.emit({ type: "cell-resume", cellId: cell.id, runId });
  return driveCell(cell, first);
}

function refuse(run: RunContext, failure: CellFailure): CodeModeResult {
  run.catalog().telemetry.countWait();
  return refusedResult(run, failure);
}

/** Who asks: the run's own scope, unless the host says otherwise. */
function scopeOf({ scope }: RunContext, { agentRunId, sessionId }: CallContext): RunScope {
  return {
    ...scope,
    ...(agentRunId === undefined ? {} : { agentRunId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}
