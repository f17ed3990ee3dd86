import type { InterleaveOptions } from "../interleave.js";
import type { Measurement } from "../report.js";

/** How much is measured: a quick run gives an impression, a full one the figures. */
export interface Scale {
  readonly isQuick: boolean;
  /** Options of a comparison that may take `budgetMs` in a full run; a quick one takes a tenth. */
  interleaved(
    budgetMs: number,
    changed?: Partial<Pick<InterleaveOptions, "warmUps" | "maxSamples">>,
  ): InterleaveOptions;
}

/** One row of the performance table. */
export interface Work {
  readonly id: string;
  readonly title: string;
  measure(scale: Scale): Promise<Pick<Measurement, "sides" | "targets">>;
}

/** Every work is measured on this scale. */
export function createScale(isQuick: boolean): Scale {
  return {
    isQuick,
    interleaved: (budgetMs, { warmUps = isQuick ? 3 : 20, maxSamples = 5_000 } = {}) => ({
      warmUps,
      maxSamples,
      budgetMs: isQuick ? budgetMs / 10 : budgetMs,
      turnMs: 20,
      now: () => performance.now(),
      settle: () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS)),
    }),
  };
}

/** Time for a peer's thread to go after its cell, in ms. */
const SETTLE_MS = 5;
