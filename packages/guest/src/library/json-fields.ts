// Questions to the host are built text by text: the engine's `JSON.stringify` of an object keeps it in a list of its own,
// which a cell that planted setters on `Array.prototype` would see.
import { ownKeys, stringifyJson } from "../library-primordials.js";

/** JSON of a text. */
export const quoted: (text: string) => string = stringifyJson;

/** JSON of a list of texts. */
export function quotedList(list: readonly string[]): string {
  let json = "[";
  for (let index = 0; index < list.length; index++) json += (index === 0 ? "" : ",") + quoted(list[index] as string);
  return `${json}]`;
}

/** JSON of an object of texts, finite numbers and booleans. */
export function quotedRecord(record: Readonly<Record<string, string | number | boolean>>): string {
  const keys = ownKeys(record) as string[];
  let json = "{";
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const value = record[key] as string | number | boolean;
    json += `${index === 0 ? "" : ","}${quoted(key)}:${typeof value === "string" ? quoted(value) : `${value}`}`;
  }
  return `${json}}`;
}
