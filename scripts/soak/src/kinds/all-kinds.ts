import { ABORT_KINDS } from "./aborts.js";
import { CALL_KINDS } from "./calls.js";
import { CLOSING_KINDS } from "./closings.js";
import { DEADLINE_KINDS } from "./deadlines.js";
import { DEATH_KINDS } from "./deaths.js";
import { FAILURE_KINDS } from "./failures.js";
import type { CellKind } from "./kind.js";
import { PLAIN_KINDS } from "./plain.js";
import { WAIT_KINDS } from "./waits.js";

/** Every kind of cell, in the order of the report. */
export const ALL_KINDS: readonly CellKind[] = [
  ...PLAIN_KINDS,
  ...CALL_KINDS,
  ...FAILURE_KINDS,
  ...WAIT_KINDS,
  ...ABORT_KINDS,
  ...CLOSING_KINDS,
  ...DEADLINE_KINDS,
  ...DEATH_KINDS,
];
