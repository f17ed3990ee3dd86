import type { CellFailure, CellStep, Delivery, ParkedCell } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { malformedFailure } from "./failures.js";
import { snapshotBytesOf } from "./snapshot-bytes.js";

/**
 * Leaves the worker to a queued cell: parks the cell into this process's memory and closes its session, while the call
 * stays open. A cell that is too large stays on its worker. Gives a failure when the cell is over.
 */
export async function leaveWorker(cell: Cell): Promise<CellFailure | undefined> {
  const space = cell.run.host.parkingMemory.reserve(cell.run.limits.maxSnapshotBytes);
  const step = await cell.step((session, remainingMs) => session.park(remainingMs, space.bytes));
  const failure = cell.stopped ?? failureOf(step, space.bytes);
  if (failure !== undefined || step.type !== "parked") {
    space.free();
    return failure;
  }
  space.shrink(snapshotBytesOf(step.parked));
  cell.aside = { parked: step.parked, space };
  await cell.closeSession();
  return undefined;
}

/**
 * Goes on with a parked cell on any worker. `refused` when none came in time to park the cell again within the ongoing
 * call; what was to be delivered then waits for the next time.
 */
export async function startParked(cell: Cell, parked: ParkedCell): Promise<CellStep> {
  const { surface } = cell.projection;
  const seed = cell.run.seed === undefined ? {} : { seed: cell.run.seed };
  const delivery = cell.work.takeDelivery();
  const maxQueueMs = cell.call?.deadline.untilMarginMs() ?? 0;
  cell.openSession();
  const step = await cell.step((session, remainingMs) =>
    session.start({ type: "parked", parked, surface, ...delivery, ...seed }, remainingMs, maxQueueMs),
  );
  if (step.type !== "refused") return step;
  cell.work.putBack(delivery);
  await cell.closeSession();
  return step;
}

/** Delivers to the guest, on the worker it has or on the next that is free; `refused` as by `startParked`. */
export async function deliverTo(cell: Cell): Promise<CellStep> {
  const { aside } = cell;
  if (aside === undefined) {
    const delivery: Delivery = cell.work.takeDelivery();
    return cell.step((session, remainingMs) => session.deliver(delivery, remainingMs));
  }
  const step = await startParked(cell, aside.parked);
  if (step.type === "refused") return step;
  // At its new boundary the cell may be aside again.
  aside.space.free();
  if (cell.aside === aside) cell.aside = undefined;
  return step;
}

function failureOf(step: CellStep, maxBytes: number): CellFailure | undefined {
  switch (step.type) {
    case "failed":
      return step.failure;
    case "refused":
      return undefined;
    case "parked":
      return snapshotBytesOf(step.parked) > maxBytes
        ? malformedFailure("it parked more than it was asked for")
        : undefined;
    default:
      return malformedFailure("it did not park the cell");
  }
}
