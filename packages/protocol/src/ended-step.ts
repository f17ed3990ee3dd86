import type { OutputDelta } from "./bridge.js";
import type { CellFailure, CellStep } from "./executor.js";

/** No output since it was last collected. Frozen, because steps share it. */
export const NO_OUTPUT: OutputDelta = Object.freeze({
  items: Object.freeze([]) as unknown as OutputDelta["items"],
  omittedItems: 0,
  omittedBytes: 0,
});

/** What a cell still brought before it failed. */
export type StepProgress = Pick<CellStep, "output" | "guestMs">;

const NOTHING: StepProgress = { output: NO_OUTPUT, guestMs: 0 };

/** The last step of a cell that failed outside its guest. */
export function failedStep(failure: CellFailure, { output, guestMs }: StepProgress = NOTHING): CellStep {
  return { type: "failed", failure, output, guestMs };
}

/** A step that was not taken; the cell is as it was. */
export function refusedStep(failure: CellFailure): CellStep {
  return { type: "refused", failure, ...NOTHING };
}
