import type { CodeModeOptions } from "@codemode/core";

/** What a cell receives of one tool's result unless the configuration says otherwise, in bytes. */
const MAX_TOOL_RESULT_BYTES = 4 * 1024 * 1024;

/** The host's options with the front's own defaults. */
export function withFrontDefaults(options: CodeModeOptions = {}): CodeModeOptions {
  const given = typeof options.config === "object" ? options.config : {};
  return { ...options, config: { maxToolResultBytes: MAX_TOOL_RESULT_BYTES, ...given } };
}
