import { CodeModeError, describeValue, type RunStats } from "@codemode/protocol";

/** What a run's host reports about the turns of its model. */
export interface TurnCounter {
  /** @throws {CodeModeError} `invalid_argument` for a price that is none; the turn is then not counted. */
  recordTurn(usage?: { readonly costUsd?: number }): void;
  /** `costUsd` only when a price was reported. */
  counts(): Pick<RunStats, "assistantTurns" | "costUsd">;
}

export function createTurnCounter(): TurnCounter {
  let assistantTurns = 0;
  let costUsd: number | undefined;
  return {
    recordTurn(usage) {
      const price = usage?.costUsd;
      if (price !== undefined) {
        assertPrice(price);
        costUsd = (costUsd ?? 0) + price;
      }
      assistantTurns++;
    },
    counts: () => ({ assistantTurns, ...(costUsd === undefined ? {} : { costUsd }) }),
  };
}

function assertPrice(price: unknown): void {
  if (typeof price === "number" && Number.isFinite(price) && price >= 0) return;
  const path = "usage.costUsd";
  const problem = `must be a finite number from 0, not ${describeValue(price)}`;
  throw new CodeModeError("invalid_argument", `${path}: ${problem}.`, { path, problem });
}
