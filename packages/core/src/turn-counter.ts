import type { RunStats } from "@codemode/protocol";

/** What a run's host reports about the turns of its model. */
export interface TurnCounter {
  recordTurn(usage?: { readonly costUsd?: number }): void;
  /** `costUsd` only when a price was reported. */
  counts(): Pick<RunStats, "assistantTurns" | "costUsd">;
}

export function createTurnCounter(): TurnCounter {
  let assistantTurns = 0;
  let costUsd: number | undefined;
  return {
    recordTurn(usage) {
      assistantTurns++;
      if (usage?.costUsd !== undefined) costUsd = (costUsd ?? 0) + usage.costUsd;
    },
    counts: () => ({ assistantTurns, ...(costUsd === undefined ? {} : { costUsd }) }),
  };
}
