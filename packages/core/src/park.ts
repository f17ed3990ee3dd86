import { CodeModeError, type CellFailure, type ParkedCell, type ParkOutcome } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { dropParked } from "./drop-parked.js";
import { inputFailure, lostFailure, malformedFailure, MESSAGES } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { withinCell } from "./within-cell.js";

type RefusalReason = Extract<ParkOutcome, { status: "refused" }>["reason"];

/** What the store keeps of a cell. */
interface KeptCell {
  readonly runId: string;
  readonly parked: ParkedCell;
}

/** Takes a cell off its worker, if it has one, and into the store, in the slot of its lease when it has one. */
export async function parkCell(cell: Cell, reason: "pending_tools" | "yield"): Promise<CellOutcome> {
  const { host } = cell.run;
  const taken = await takeParked(cell);
  if (taken.failure !== undefined) return failedOutcome(taken.failure);
  const { parked } = taken;
  const runId = (cell.runId ??= `cm_${host.newId()}`);
  const failure = await storeCell(cell, { runId, parked });
  cell.freeAside();
  if (failure !== undefined) return failedOutcome(failure);
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

/** Gives a cell that was not resumed back to the store as it was, with a whole new life from now on. */
export async function renewParked(cell: Cell, kept: KeptCell): Promise<CellOutcome> {
  const failure = await storeCell(cell, kept);
  return failure === undefined ? { type: "waiting", reason: "pending_tools" } : failedOutcome(failure);
}

/** The cell as it was parked; undefined when the store has lost it. */
export async function readParked(cell: Cell): Promise<ParkedCell | undefined> {
  const { lease } = cell;
  if (lease === undefined) throw new TypeError("a parked cell is read without its lease");
  const work = async () => assertOwn(cell, await cell.run.host.store.read(lease));
  return withinCell(cell, { what: "the snapshot store", work });
}

/** A store that mixes up runs, or gives an older state of one, would make calls twice or in another's name. */
function assertOwn(cell: Cell, parked: ParkedCell | undefined): ParkedCell | undefined {
  if (parked === undefined || parked.snapshot.checksum === cell.parkedChecksum) return parked;
  const reason = "the store gave another cell than it was given";
  throw new CodeModeError("snapshot_incompatible", `The parked cell cannot be restored: ${reason}.`, { reason });
}

/** Stores a cell, in the slot of its lease when it has one. */
async function storeCell(cell: Cell, { runId, parked }: KeptCell): Promise<CellFailure | undefined> {
  const { host, scope, limits } = cell.run;
  const ttlMs = limits.snapshotTtlSeconds * 1_000;
  const outcome = await withinCell(cell, {
    what: "the snapshot store",
    work: () => host.store.park({ runId, scope, parked, ttlMs }, cell.lease),
    onLate: () => dropParked(cell.run, runId),
  });
  cell.lease = undefined;
  cell.expiresAt = host.clock.now() + ttlMs;
  cell.parkedChecksum = parked.snapshot.checksum;
  if (cell.stopped !== undefined) return cell.stopped;
  return outcome.status === "refused" ? refusal(outcome.reason) : undefined;
}

function refusal(reason: RefusalReason): CellFailure {
  switch (reason) {
    case "too_many":
      return { ...inputFailure(MESSAGES.tooManySuspended), phase: "host" };
    case "session_quota":
      return { ...inputFailure(MESSAGES.tooManySuspendedInSession), phase: "host" };
    case "lease_lost":
      return lostFailure();
  }
}
