/** A nested call that was refused or broke its contract. The guest can catch it and switch on `code`. */
export class NestedCallError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: "tool_input_invalid" | "tool_blocked" | "tool_denied" | "tool_output_invalid",
    message: string,
  ) {
    super(message);
  }
}
