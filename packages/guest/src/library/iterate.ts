import { append, bareList } from "../library-primordials.js";

/** The values of something a cell iterates over: the one place where the library runs an iterator of the cell's. */
export function listOf(iterable: unknown): unknown[] {
  const list = bareList<unknown>();
  for (const value of iterable as Iterable<unknown>) append(list, value);
  return list;
}
