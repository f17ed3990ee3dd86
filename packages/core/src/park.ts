import type { CellFailure, ParkedCell, ParkOutcome } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { malformedFailure, inputFailure, MESSAGES } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";

type RefusalReason = Extract<ParkOutcome, { status: "refused" }>["reason"];

/** Takes a cell off its worker, if it has one, and into the store, in the slot of its lease when it has one. */
export async function parkCell(cell: Cell, reason: "pending_tools" | "yield"): Promise<CellOutcome> {
  const { host, scope, limits } = cell.run;
  const taken = await takeParked(cell);
  if (taken.failure !== undefined) return failedOutcome(taken.failure);
  const { parked } = taken;
  const runId = (cell.runId ??= `cm_${host.newId()}`);
  const ttlMs = limits.snapshotTtlSeconds * 1_000;
  const outcome = await host.store.park({ runId, scope, parked, ttlMs }, cell.lease);
  cell.freeAside();
  cell.lease = undefined;
  cell.expiresAt = host.clock.now() + ttlMs;
  if (outcome.status === "refused") return failedOutcome(refusal(outcome.reason));
  host.emit({ type: "cell-park", cellId: cell.id, runId, bytes: parked.snapshot.bytes });
  return { type: "waiting", reason };
}

/** The cell's snapshot: from memory when it had left its worker, else from the worker. */
async function takeParked(
  cell: Cell,
): Promise<{ readonly parked: ParkedCell; readonly failure?: undefined } | { readonly failure: CellFailure }> {
  if (cell.aside !== undefined) return { parked: cell.aside.parked };
  const step = await cell.step((session, remainingMs) => session.park(remainingMs));
  if (cell.stopped !== undefined) return { failure: cell.stopped };
  if (step.type === "failed" || step.type === "refused") return { failure: step.failure };
  if (step.type !== "parked") return { failure: malformedFailure("it did not park the cell") };
  await cell.closeSession();
  return { parked: step.parked };
}

function refusal(reason: RefusalReason): ReturnType<typeof inputFailure> {
  switch (reason) {
    case "too_many":
      return { ...inputFailure(MESSAGES.tooManySuspended), phase: "host" };
    case "session_quota":
      return { ...inputFailure(MESSAGES.tooManySuspendedInSession), phase: "host" };
    case "lease_lost":
      return { ...inputFailure(MESSAGES.unavailable), phase: "host" };
  }
}
