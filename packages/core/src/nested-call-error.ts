/** Why a nested call did not run, or did not count. The `approval_` codes: the gate gave no verdict. */
export type NestedCallErrorCode =
  | "tool_input_invalid"
  | "tool_blocked"
  | "tool_denied"
  | "tool_output_invalid"
  | "approval_timed_out"
  | "approval_cancelled"
  | "approval_failed";

/** A nested call that was refused or broke its contract. The guest can catch it and switch on `code`. */
export class NestedCallError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: NestedCallErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
