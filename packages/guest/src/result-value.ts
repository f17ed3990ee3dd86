import { toJsonText } from "@codemode/bridge";
import type { Callables } from "./callables.js";
import type { Cell } from "./cell.js";
import { ORDINARY, define } from "./primordials.js";
import type { RequestTable } from "./request-table.js";

/** Rounds of promises that resolve to values with promises; what is deeper is written as a note. */
const MAX_ROUNDS = 100;

/** Writes the value that a cell returned. */
export interface ResultValue {
  /**
   * Compact JSON of the value. Undefined when promises were found in it: the cell awaits them now, and the value is to be
   * written again when it has returned again. No call starts meanwhile.
   */
  write(value: unknown): string | undefined;
}

export function createResultValue(
  cell: Pick<Cell, "awaitInside" | "settledForm">,
  { requests, plainFormOf }: { requests: Pick<RequestTable, "whileSealed">; plainFormOf: Callables["plainFormOf"] },
): ResultValue {
  let rounds = 0;
  return {
    write(value) {
      const open: object[] = [];
      const promiseFormOf = (promise: object) => {
        const form = cell.settledForm(promise);
        if (form === undefined) define(open, open.length, promise, ORDINARY);
        return form;
      };
      const text = requests.whileSealed(() => toJsonText(value, { plainFormOf, promiseFormOf }));
      if (open.length === 0 || rounds === MAX_ROUNDS) return text;
      rounds += 1;
      cell.awaitInside(open);
      return undefined;
    },
  };
}
