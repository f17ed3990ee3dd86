/** When a thread ends in the middle of its cell: by itself, or killed from a `tool` the cell calls. */
export type Death = "evaluate" | "deliver" | "park" | "tool";

export interface Mark {
  readonly cell: number;
  readonly death?: Death;
}

/** A comment before a cell's source that tells the thread which cell it runs, and whether it is to die of it. */
export function renderMark({ cell, death }: Mark): string {
  return `/* soak ${cell}${death === undefined ? "" : ` ${death}`} */ `;
}

/** The mark of a source; undefined where there is none. */
export function readMark(source: string): Mark | undefined {
  const found = /^\/\* soak (\d+)(?: (evaluate|deliver|park|tool))? \*\//.exec(source);
  if (found === null) return undefined;
  const death = found[2] as Death | undefined;
  return { cell: Number(found[1]), ...(death === undefined ? {} : { death }) };
}
