import type { McpFront, ServeMcpOptions } from "./front/front-options.js";

/**
 * Puts code mode in front of MCP servers: any MCP client gets two tools, `exec` and `wait`, whose programs call the
 * tools of all of them. Each client has a run of its own.
 *
 * @throws {CodeModeError} `invalid_argument` for options that cannot be used, such as an address outside this machine
 *   without a token, or a port that is taken.
 */
export async function serveMcp(options: ServeMcpOptions): Promise<McpFront> {
  // Loaded on demand: whoever only connects servers pays neither for the protocol's server side nor for code mode.
  const { openFront } = await import("./front/open-front.js");
  return openFront(options);
}
