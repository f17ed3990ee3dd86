import { CodeModeError, type CodeModeResult } from "@codemode/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { hoistMedia, type FindMedia } from "./hoist-media.js";

// Keys of what an answer's `_meta` holds for the client's own records, not for its model: the run's counters, and whether
// the cell may be run again.
const TELEMETRY_KEY = "codemode/telemetry";
const REPLAY_KEY = "codemode/replaySafe";

/**
 * A result as MCP's answer to the tool call: one text block that is the result as JSON, the same as
 * `structuredContent`, and the images and sounds of value and output as blocks of their own. One block of JSON, because
 * text of a tool could otherwise pass for a result.
 */
export function toCallResult(result: CodeModeResult, find: FindMedia): CallToolResult {
  const { telemetry, replaySafe, ...shown } = result;
  const { value, blocks } = hoistMedia(shown, 1, find);
  return {
    content: [{ type: "text", text: JSON.stringify(value) }, ...blocks],
    structuredContent: value,
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
