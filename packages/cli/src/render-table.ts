/** One column of a table. */
export interface Column {
  readonly heading: string;
  /** Numbers stand at the right edge. */
  readonly isNumber?: true;
}

/** A table as lines of text, indented by two; every row has one cell for each column. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ heading }, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, index) => align(cell, widths[index] ?? 0, columns[index])).join("  ")}`.trimEnd();
  return [line(columns.map(({ heading }) => heading)), ...rows.map(line)];
}

function align(cell: string, width: number, column: Column | undefined): string {
  return column?.isNumber === true ? cell.padStart(width) : cell.padEnd(width);
}

/** A count with thousands set apart. */
export function formatCount(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}
