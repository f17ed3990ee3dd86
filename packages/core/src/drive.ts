import type { CellStep, Delivery } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { dispatchBatch } from "./dispatch.js";
import { dropLeftoverTimers } from "./drain.js";
import { malformedFailure } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { parkCell } from "./park.js";

type Move =
  | { readonly type: "deliver"; readonly delivery: Delivery }
  | { readonly type: "park"; readonly reason: "pending_tools" | "yield" }
  | { readonly type: "stopped" };

export type News = "settled" | "margin" | "stopped";

/** Goes on with a cell from one boundary to the next, until it ends or must be parked. */
export async function driveCell(cell: Cell, first: CellStep): Promise<CellOutcome> {
  let step = first;
  for (;;) {
    if (cell.stopped !== undefined) return failedOutcome(cell.stopped);
    if (step.type === "completed") return { type: "completed", value: step.value };
    if (step.type === "failed") return failedOutcome(step.failure);
    if (step.type === "parked") return failedOutcome(malformedFailure("it parked a cell unasked"));
    const failure = dispatchBatch(cell, step);
    if (failure !== undefined) return failedOutcome(failure);
    if (cell.work.isEmpty()) {
      return failedOutcome(malformedFailure("it stopped at a boundary with nothing outstanding"));
    }
    const move = await nextMove(cell, step.isSettled);
    if (move.type === "park") return parkCell(cell, move.reason);
    if (move.type === "deliver") step = await cell.step((session, ms) => session.deliver(move.delivery, ms));
  }
}

async function nextMove(cell: Cell, isResultSettled: boolean): Promise<Move> {
  if (cell.work.hasYields()) return { type: "park", reason: "yield" };
  const cancelled = dropLeftoverTimers(cell, isResultSettled);
  if (cancelled.length > 0) return { type: "deliver", delivery: { replies: [], cancelled } };
  switch (await waitForNews(cell)) {
    case "settled":
      return { type: "deliver", delivery: { replies: cell.work.takeSettled() } };
    case "margin":
      return { type: "park", reason: "pending_tools" };
    case "stopped":
      return { type: "stopped" };
  }
}

/**
 * Waits until a reply has come, the ongoing call's margin is reached, or the cell was stopped. The margin comes first:
 * a cell whose calls are always ready would otherwise run into its deadline instead of being parked.
 */
export async function waitForNews(cell: Cell): Promise<News> {
  const { clock } = cell.run.host;
  const startedAt = clock.now();
  for (;;) {
    const news = currentNews(cell);
    if (news !== undefined) {
      cell.waitedMs += clock.now() - startedAt;
      return news;
    }
    await cell.bell.next();
  }
}

function currentNews(cell: Cell): News | undefined {
  if (cell.stopped !== undefined) return "stopped";
  if (cell.call === undefined || cell.call.deadline.isInMargin()) return "margin";
  return cell.work.hasSettled() ? "settled" : undefined;
}
