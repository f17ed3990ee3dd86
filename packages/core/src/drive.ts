import type { CellStep } from "@codemode/protocol";
import type { CallDeadline } from "./call-deadline.js";
import type { Cell } from "./cell.js";
import { dispatchBatch } from "./dispatch.js";
import { dropLeftoverTimers } from "./drain.js";
import { malformedFailure } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { parkCell } from "./park.js";
import { deliverTo, leaveWorker } from "./pressure.js";

export type News = "settled" | "margin" | "pressure" | "stopped";
type Move = "deliver" | "yield" | Exclude<News, "settled">;

/** Goes on with a cell from one boundary to the next, until it ends or must be parked. */
export async function driveCell(cell: Cell, first: CellStep): Promise<CellOutcome> {
  let step = first;
  for (;;) {
    if (cell.stopped !== undefined) return failedOutcome(cell.stopped);
    if (step.type === "completed") return { type: "completed", value: step.value };
    if (step.type === "failed" || step.type === "refused") return failedOutcome(step.failure);
    if (step.type === "parked") return failedOutcome(malformedFailure("it parked a cell unasked"));
    const failure = dispatchBatch(cell, step);
    if (failure !== undefined) return failedOutcome(failure);
    if (cell.work.isEmpty()) {
      return failedOutcome(malformedFailure("it stopped at a boundary with nothing outstanding"));
    }
    // A call that asks a person at once is to be found asking, before the margin is looked at.
    if (cell.call?.deadline.isInMargin() === true) await new Promise((resolve) => setImmediate(resolve));
    const next = await leaveBoundary(cell, step.isSettled);
    if (next?.outcome !== undefined) return next.outcome;
    if (next !== undefined) step = next.step;
  }
}

type Next = { readonly step: CellStep; readonly outcome?: undefined } | { readonly outcome: CellOutcome };

/** Stays at a boundary, on the worker or without one, until the guest has run again or the call is over. Undefined when it was stopped. */
async function leaveBoundary(cell: Cell, isResultSettled: boolean): Promise<Next | undefined> {
  for (;;) {
    switch (await nextMove(cell, isResultSettled)) {
      case "stopped":
        return undefined;
      case "yield":
        return { outcome: await parkCell(cell, "yield") };
      case "margin":
        return { outcome: await parkCell(cell, "pending_tools") };
      case "pressure": {
        const failure = await leaveWorker(cell);
        if (failure !== undefined) return { outcome: failedOutcome(failure) };
        break;
      }
      case "deliver": {
        const step = await deliverTo(cell);
        if (step.type !== "refused" || cell.aside === undefined) return { step };
        return { outcome: await parkCell(cell, "pending_tools") };
      }
    }
  }
}

async function nextMove(cell: Cell, isResultSettled: boolean): Promise<Move> {
  if (cell.work.hasYields()) return "yield";
  if (dropLeftoverTimers(cell, isResultSettled)) return "deliver";
  const news = await waitForNews(cell);
  return news === "settled" ? "deliver" : news;
}

/**
 * Waits until a reply has come, the ongoing call's margin is reached, another cell needs the worker, or the cell was
 * stopped. The margin comes before replies: a cell whose calls are always ready would otherwise run into its deadline instead of being parked.
 */
export async function waitForNews(cell: Cell): Promise<News> {
  const { clock } = cell.run.host;
  const startedAt = clock.now();
  const suspendedBefore = cell.call?.deadline.suspendedMs() ?? 0;
  for (;;) {
    const news = currentNews(cell);
    if (news !== undefined) {
      const peopleMs = (cell.call?.deadline.suspendedMs() ?? 0) - suspendedBefore;
      cell.toolsMs += clock.now() - startedAt - peopleMs;
      return news;
    }
    await cell.bell.next();
  }
}

/** While a person is asked the call stays open, however little is left of its budget. */
function isOver(deadline: CallDeadline): boolean {
  return deadline.isInMargin() && !deadline.isSuspended();
}

function currentNews(cell: Cell): News | undefined {
  if (cell.stopped !== undefined) return "stopped";
  if (cell.call === undefined || isOver(cell.call.deadline)) return "margin";
  if (cell.work.hasSettled()) return "settled";
  return cell.isPressed ? "pressure" : undefined;
}
