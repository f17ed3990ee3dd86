import type { CellFailure } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { cutShort, type HostWait } from "./cut-short.js";

/**
 * Waits for the host on behalf of a cell: until the cell is stopped, or the ongoing call's budget and the watchdog's
 * grace are over. Parking starts late in a budget, hence the grace.
 *
 * @throws {CutShort}
 */
export function withinCell<T>(cell: Cell, wait: HostWait<T>): Promise<T> {
  const { host, limits } = cell.run;
  return cutShort(wait, {
    clock: host.clock,
    remainingMs: (cell.call?.deadline.remainingMs() ?? 0) + limits.watchdogGraceMs,
    reportFault: host.reportFault,
    onStop: (stop) => watchStop(cell, stop),
  });
}

function watchStop(cell: Cell, stop: (failure: CellFailure) => void): () => void {
  let isWithdrawn = false;
  const watch = async (): Promise<void> => {
    while (!isWithdrawn && cell.stopped === undefined) await cell.bell.next();
    if (!isWithdrawn && cell.stopped !== undefined) stop(cell.stopped);
  };
  void watch();
  return () => {
    isWithdrawn = true;
  };
}
