import type { LedgerCall } from "@codemode/protocol";

/** Rows a failed result may carry; a model needs the last ones to know where a cell stopped. */
const MAX_LEDGER_ROWS = 256;

/** What a cell's calls may have done to the world, in dispatch order. */
export interface EffectLedger {
  /** Adds a dispatched call, `unknown` until it is settled. The returned function settles it. */
  dispatched(name: string): (status: "completed" | "failed") => void;
  /** The last rows, at most 256 and within `maxChars` of compact JSON, and how many earlier ones are left out. */
  last(maxChars?: number): { readonly rows: LedgerCall[]; readonly omitted: number };
}

/** Index of the first of the last rows whose JSON array has at most `maxChars`. */
function firstWithin(rows: readonly LedgerCall[], maxChars: number): number {
  let chars = 1;
  for (let index = rows.length - 1; index >= 0; index--) {
    chars += JSON.stringify(rows[index]).length + 1;
    if (chars > maxChars) return index + 1;
  }
  return 0;
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
    last(maxChars = Infinity) {
      const first = maxChars === Infinity ? 0 : firstWithin(rows, maxChars);
      return { rows: rows.slice(first).map((row) => ({ ...row })), omitted: omitted + first };
    },
  };
}
