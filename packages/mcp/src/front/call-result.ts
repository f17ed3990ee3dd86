import { CodeModeError, toModelContent, type CodeModeResult, type CodeModeRun } from "@codemode/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

// Keys of what an answer's `_meta` holds for the client's own records, not for its model: the run's counters, and whether
// the cell may be run again.
const TELEMETRY_KEY = "codemode/telemetry";
const REPLAY_KEY = "codemode/replaySafe";

/** A result as MCP's answer to the tool call; what the model reads is in `structuredContent` as well. */
export function toCallResult(result: CodeModeResult, run: Pick<CodeModeRun, "media">): CallToolResult {
  const { content, shown, telemetry } = toModelContent(result, run);
  const { replaySafe } = result;
  return {
    content: [...content],
    structuredContent: shown,
    ...(result.status === "failed" ? { isError: true } : {}),
    _meta: { [TELEMETRY_KEY]: telemetry, ...(replaySafe === undefined ? {} : { [REPLAY_KEY]: replaySafe }) },
  };
}

/** What came instead of a result, in the form of a failed one. */
export function toErrorResult(error: unknown): CallToolResult {
  const known = CodeModeError.isInstance(error)
    ? { error: error.message, code: error.code }
    : { error: "the call failed on the server's side; its log says why", code: "internal_error" };
  const shown = { status: "failed", ...known, failurePhase: "host" };
  return { content: [{ type: "text", text: JSON.stringify(shown) }], structuredContent: shown, isError: true };
}
