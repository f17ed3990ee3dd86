import { toPlainError, truncateError } from "@codemode/bridge";
import { describeValue, type ApprovalGate, type NestedCall, type ToolCallContext } from "@codemode/protocol";
import { NestedCallError, type NestedCallErrorCode } from "./nested-call-error.js";

const MAX_REASON_BYTES = 2_000;
const NO_REASON = "the call was not approved.";

/**
 * Asks the host's gate about one call, while the cell's budget stands still. Returns only for the verdict "allow", which
 * is good for this one call. A gate that fails is no verdict: one that rejects with a `TimeoutError` or an `AbortError`,
 * as signals do, has timed out or was cancelled.
 *
 * @throws {NestedCallError} `tool_denied`, `approval_timed_out`, `approval_cancelled`, `approval_failed`.
 */
export async function askApproval(approve: ApprovalGate, call: NestedCall, context: ToolCallContext): Promise<void> {
  const { signal } = context;
  let denial: string | undefined;
  try {
    const verdict: unknown = await context.suspendBudget((async () => approve(call, { signal }))());
    if (verdict !== "allow") denial = reasonOf(verdict);
  } catch (error) {
    throw unanswered(call, error);
  }
  if (denial !== undefined) throw new NestedCallError("tool_denied", denial);
  signal.throwIfAborted();
}

const ENDINGS: ReadonlyMap<string, readonly [NestedCallErrorCode, string]> = new Map([
  ["TimeoutError", ["approval_timed_out", "timed out"]],
  ["AbortError", ["approval_cancelled", "was cancelled"]],
]);

function unanswered({ callableName }: NestedCall, cause: unknown): NestedCallError {
  const { name, message } = toPlainError(cause, MAX_REASON_BYTES);
  const [code, ending] = ENDINGS.get(name) ?? ["approval_failed", "failed"];
  return new NestedCallError(code, `The approval of ${callableName} ${ending}: ${message}`, { cause });
}

/** What the gate gave is the host's, but its declared type is not trusted: whatever is not "allow" denies. */
function reasonOf(verdict: unknown): string {
  if (typeof verdict === "object" && verdict !== null && "deny" in verdict) {
    const { deny } = verdict;
    return typeof deny === "string" && deny.trim() !== "" ? truncateError(deny, MAX_REASON_BYTES) : NO_REASON;
  }
  const kind = typeof verdict === "string" ? "a string" : describeValue(verdict);
  return `the approval gate must give "allow" or { deny }, got ${kind}.`;
}
