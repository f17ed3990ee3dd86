import type { CellFailure, CodeModeWaitingResult, EncodedJson } from "@codemode/protocol";

/** What one exec or wait came to, before it is put into a result. */
export type CellOutcome =
  | { readonly type: "completed"; readonly value: EncodedJson }
  | { readonly type: "failed"; readonly failure: CellFailure }
  | { readonly type: "waiting"; readonly reason: CodeModeWaitingResult["reason"] };

export function failedOutcome(failure: CellFailure): CellOutcome {
  return { type: "failed", failure };
}
