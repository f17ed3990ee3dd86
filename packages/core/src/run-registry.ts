import type { Cell } from "./cell.js";
import type { Clock } from "./clock.js";

/**
 * Every cell a host object owns, live or parked, and the timers that expire parked ones. The store keeps their memory;
 * this keeps what cannot be stored: owner and host work.
 */
export interface RunRegistry {
  add(cell: Cell): void;
  remove(cell: Cell): void;
  find(runId: string): Cell | undefined;
  cells(): readonly Cell[];
  /** The cell is parked and nobody works on it: from `expiresAt` on it is ended. */
  hold(cell: Cell): void;
  /** Somebody works on the cell: it cannot expire. */
  unhold(cell: Cell): void;
}

export function createRunRegistry(clock: Clock): RunRegistry {
  const cells = new Set<Cell>();
  const byRunId = new Map<string, Cell>();
  const expiries = new Map<Cell, () => void>();

  function unhold(cell: Cell): void {
    expiries.get(cell)?.();
    expiries.delete(cell);
  }

  return {
    add: (cell) => void cells.add(cell),
    remove(cell) {
      unhold(cell);
      cells.delete(cell);
      if (cell.runId !== undefined) byRunId.delete(cell.runId);
    },
    find: (runId) => byRunId.get(runId),
    cells: () => [...cells],
    hold(cell) {
      if (!cells.has(cell) || cell.runId === undefined) return;
      unhold(cell);
      byRunId.set(cell.runId, cell);
      const expire = (): void => void cell.end("the parked run expired").catch(cell.run.host.reportFault);
      expiries.set(cell, clock.schedule(expire, Math.max(0, cell.expiresAt - clock.now())));
    },
    unhold,
  };
}
