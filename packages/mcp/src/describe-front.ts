import type { McpServerDescriptor } from "@codemode/protocol";
import type { ServeMcpOptions } from "./front/front-options.js";
import type { FrontSurface } from "./front/front-surface.js";

/**
 * What a client of `serveMcp` would see in front of these servers. Calls none of them and starts no thread.
 *
 * @throws {CodeModeError} `invalid_argument` for a configuration that cannot be used.
 */
export async function describeFront(
  options: Pick<ServeMcpOptions, "codeMode"> & { readonly servers: readonly McpServerDescriptor[] },
): Promise<FrontSurface> {
  const [{ createCodeMode }, { withFrontDefaults }, { surfaceOf }] = await Promise.all([
    import("@codemode/core"),
    import("./front/front-defaults.js"),
    import("./front/front-surface.js"),
  ]);
  await using codeMode = createCodeMode(withFrontDefaults(options.codeMode));
  await using run = codeMode.openRun({ scope: { agentRunId: "surface" }, tools: [], mcp: options.servers });
  return surfaceOf(run);
}
