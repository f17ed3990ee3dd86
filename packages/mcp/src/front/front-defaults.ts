import type { CodeModeOptions } from "@codemode/core";

/** What a cell receives of one tool's result unless the configuration says otherwise, in bytes. */
const MAX_TOOL_RESULT_BYTES = 4 * 1024 * 1024;

/** Parked programs of one client: 16 tasks, and as many that wait for its model. */
const MAX_SUSPENDED_PER_SESSION = 32;

/** The host's options with the front's own defaults. */
export function withFrontDefaults(options: CodeModeOptions = {}): CodeModeOptions {
  const given = typeof options.config === "object" ? options.config : {};
  const defaults = { maxToolResultBytes: MAX_TOOL_RESULT_BYTES, maxSuspendedPerSession: MAX_SUSPENDED_PER_SESSION };
  return { ...options, config: { ...defaults, ...given } };
}
