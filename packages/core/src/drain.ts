import type { Cell } from "./cell.js";

/** Timers due within this time after the result still run. */
const LEFTOVER_WINDOW_MS = 1_000;
const MAX_NAMED_TIMERS = 5;

/**
 * Drops timers when the cell's result has settled and nothing but timers is left: intervals, and all
 * that are due later than one second after that moment. Writes the warning. True when the guest must be told.
 */
export function dropLeftoverTimers(cell: Cell, isResultSettled: boolean): boolean {
  if (!isResultSettled || cell.work.openCalls() > 0 || cell.queue.length > 0) {
    cell.drainUntil = undefined;
    return false;
  }
  if (cell.work.hasSettled()) return false;
  const drainUntil = (cell.drainUntil ??= cell.run.host.clock.now() + LEFTOVER_WINDOW_MS);
  const dropped = [...cell.work.timers()].filter(([, timer]) => timer.isInterval || timer.dueAt > drainUntil);
  if (dropped.length === 0) return false;
  cell.warnings.push(leftoverWarning(dropped.map(([, timer]) => timer.delayMs)));
  cell.work.dropTimers(dropped.map(([id]) => id));
  return true;
}

function leftoverWarning(delays: readonly number[]): string {
  const named = delays.slice(0, MAX_NAMED_TIMERS).map((delayMs) => `${delayMs} ms`);
  if (delays.length > named.length) named.push(`and ${delays.length - named.length} more`);
  return `Cancelled ${delays.length} timer(s) that would have fired after the result: ${named.join(", ")}.`;
}
