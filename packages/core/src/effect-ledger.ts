import type { LedgerCall } from "@codemode/protocol";

/** Rows a failed result may carry; a model needs the last ones to know where a cell stopped. */
export const MAX_LEDGER_ROWS = 256;

/** What a cell's calls may have done to the world, in dispatch order. */
export interface EffectLedger {
  /** Adds a dispatched call, `unknown` until it is settled. The returned function settles it. */
  dispatched(name: string): (status: "completed" | "failed") => void;
  /** The last 256 rows. */
  rows(): LedgerCall[];
  /** Rows that `rows` leaves out. */
  omitted(): number;
}

export function createEffectLedger(): EffectLedger {
  const rows: LedgerCall[] = [];
  let omitted = 0;
  return {
    dispatched(name) {
      const row: LedgerCall = { name, status: "unknown" };
      rows.push(row);
      if (rows.length > MAX_LEDGER_ROWS) {
        rows.shift();
        omitted++;
      }
      return (status) => {
        row.status = status;
      };
    },
    rows: () => rows.map((row) => ({ ...row })),
    omitted: () => omitted,
  };
}
