import type { Cell } from "./cell.js";

/** Timers due within this time after the result still run. */
const LEFTOVER_WINDOW_MS = 1_000;
const MAX_NAMED_TIMERS = 5;

/**
 * Drops timers, when the cell's result has settled and nothing but timers is left: intervals, and all that are due later
 * than one second after that moment, also when they are due by now: timers that set timers come to an end. True when the
 * guest must be told.
 */
export function dropLeftoverTimers(cell: Cell, isResultSettled: boolean): boolean {
  const { work, queue, droppedTimers } = cell;
  if (!isResultSettled || work.openCalls() > 0 || work.hasSettledCalls() || queue.length > 0) {
    cell.drainUntil = undefined;
    return false;
  }
  const drainUntil = (cell.drainUntil ??= cell.run.host.clock.now() + LEFTOVER_WINDOW_MS);
  const dropped: number[] = [];
  for (const [id, { delayMs, dueAt, isInterval }] of work.timers()) {
    if (!isInterval && dueAt <= drainUntil) continue;
    dropped.push(id);
    if (droppedTimers.delays.length < MAX_NAMED_TIMERS) droppedTimers.delays.push(delayMs);
  }
  droppedTimers.count += dropped.length;
  work.dropTimers(dropped);
  return dropped.length > 0;
}

/** The one warning of all timers dropped since it was last taken. */
export function takeLeftoverWarning({ droppedTimers }: Cell): string | undefined {
  const { count } = droppedTimers;
  if (count === 0) return undefined;
  const named = droppedTimers.delays.splice(0).map((delayMs) => `${delayMs} ms`);
  if (count > named.length) named.push(`and ${count - named.length} more`);
  droppedTimers.count = 0;
  return `Cancelled ${count} timer(s) that would have fired after the result: ${named.join(", ")}.`;
}
