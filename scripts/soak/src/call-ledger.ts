/** Every nested call that reached a tool, by cell. */
export interface CallLedger {
  /** A cell is about to start. */
  open(cell: number): CellCalls;
  /** A tool runs. `input` names the cell and counts its calls: `{ cell, n }`. */
  record(tool: string, input: unknown): void;
  /** Forgets cells that have ended; a call of one of them is a problem from now on, too. */
  forgetEnded(): void;
  /** Calls recorded so far. */
  count(): number;
}

/** The calls of one cell. */
export interface CellCalls {
  /** As `note 1`, in the order in which tools ran. */
  list(): readonly string[];
  /** The cell is over: a call that comes now is a problem. */
  end(): void;
}

interface Entry {
  readonly calls: string[];
  isOver: boolean;
}

/** `report` is told of a call that ran twice, one of a cell that is over, and one of a cell nobody knows. */
export function createCallLedger(report: (problem: string) => void): CallLedger {
  const entries = new Map<number, Entry>();
  let count = 0;
  return {
    open(cell) {
      const entry: Entry = { calls: [], isOver: false };
      entries.set(cell, entry);
      return {
        list: () => entry.calls,
        end() {
          entry.isOver = true;
        },
      };
    },
    record(tool, input) {
      const { cell, n } = input as { cell: number; n: number };
      const call = `${tool} ${n}`;
      const entry = entries.get(cell);
      count += 1;
      if (entry === undefined) {
        report(`cell ${cell}: ${call} of a cell that is not open`);
        return;
      }
      if (entry.isOver) report(`cell ${cell}: ${call} was started after the cell had ended`);
      if (entry.calls.includes(call)) report(`cell ${cell}: ${call} was started twice`);
      entry.calls.push(call);
    },
    forgetEnded() {
      for (const [cell, { isOver }] of entries) if (isOver) entries.delete(cell);
    },
    count: () => count,
  };
}
