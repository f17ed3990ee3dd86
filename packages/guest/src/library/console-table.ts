import { append, bareList, createObject, hasOwn, isArray, ownKeys, parseJson } from "../library-primordials.js";

type Row = Readonly<Record<string, unknown>>;

const VALUES = "Values";

/** An array or object of rows as lines with bars; undefined when the value is neither. `inertText` gives its JSON. */
export function tableText(value: unknown, inertText: (value: unknown) => string): string | undefined {
  const data = parseJson(inertText(value)) as Row | null;
  if (typeof data !== "object" || data === null) return undefined;
  const keys = keysOf(data);
  const columns = columnsOf(data, keys);
  let text = "(index)";
  for (let column = 0; column < columns.length; column++) text += ` | ${columns[column]}`;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    text += `\n${key}`;
    for (let column = 0; column < columns.length; column++) {
      const cell = cellOf(data[key], columns[column] as string);
      text += ` | ${cell === undefined ? "" : typeof cell === "string" ? cell : inertText(cell)}`;
    }
  }
  return text;
}

function cellOf(row: unknown, column: string): unknown {
  if (typeof row !== "object" || row === null) return column === VALUES ? row : undefined;
  return hasOwn(row, column) ? (row as Row)[column] : undefined;
}

/** Keys of all rows in the order they are met; rows that are no objects have one column. */
function columnsOf(data: Row, keys: readonly string[]): string[] {
  const columns = bareList<string>();
  const seen = createObject(null) as Record<string, true>;
  const add = (name: string): void => {
    if (seen[name] === true) return;
    seen[name] = true;
    append(columns, name);
  };
  for (let index = 0; index < keys.length; index++) {
    const row = data[keys[index] as string];
    if (typeof row !== "object" || row === null) add(VALUES);
    else {
      const names = keysOf(row);
      for (let name = 0; name < names.length; name++) add(names[name] as string);
    }
  }
  return columns;
}

function keysOf(value: object): string[] {
  const isList = isArray(value);
  const keys = ownKeys(value);
  const names = bareList<string>();
  for (let index = 0; index < keys.length; index++) {
    if (!isList || keys[index] !== "length") append(names, keys[index] as string);
  }
  return names;
}
