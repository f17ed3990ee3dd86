/** Where the one `gate` call of a cell waits until the soak lets it go. */
export interface Gate {
  /** The tool has been called; gives the call's signal. */
  readonly entered: Promise<AbortSignal>;
  /** Lets the call go, also before it comes. */
  open(): void;
}

export interface Gates {
  of(cell: number): Gate;
  /** What the tool does: comes to the gate of the cell and waits. */
  pass(cell: number, signal: AbortSignal): Promise<void>;
  /** The cell is over. */
  forget(cell: number): void;
}

interface Entry extends Gate {
  readonly opened: Promise<void>;
  enter(signal: AbortSignal): void;
}

export function createGates(): Gates {
  const gates = new Map<number, Entry>();
  const entryOf = (cell: number): Entry => {
    const known = gates.get(cell) ?? createEntry();
    gates.set(cell, known);
    return known;
  };
  return {
    of: entryOf,
    pass(cell, signal) {
      const { enter, opened } = entryOf(cell);
      enter(signal);
      return opened;
    },
    forget: (cell) => void gates.delete(cell),
  };
}

function createEntry(): Entry {
  let enter: Entry["enter"] = () => {};
  let open: Entry["open"] = () => {};
  const entered = new Promise<AbortSignal>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { entered, opened, enter: (signal) => enter(signal), open: () => open() };
}
