import { createHttpLink } from "./http-link.js";
import type { McpServerConfig, StdioServerConfig } from "./mcp-config.js";
import type { McpLimits } from "./options.js";
import type { ProcessGuard } from "./process-guard.js";
import { createServerLife, type ServerLife } from "./server-life.js";
import { createStdioLink, type ServerLink } from "./server-link.js";
import { startServerProcess, type ServerProcess } from "./server-process.js";
import { createServerSession, type ServerSession, type SessionOptions } from "./server-session.js";
import { explainSpawn, explainStart } from "./start-failures.js";
import type { StartLimit } from "./start-limit.js";

export interface OpenLifeOptions extends SessionOptions {
  readonly config: McpServerConfig;
  readonly limits: McpLimits;
  readonly guard: ProcessGuard;
  /** Sets what listens to the server, before the handshake. */
  readonly listen: (session: ServerSession) => void;
}

/**
 * Starts a server, or reaches it, and shakes hands.
 *
 * @throws {CodeModeError} `mcp_server_failed`; `details.reason` is one line with the next step. The caller's reason when
 *   it aborts. No process is left then.
 */
export async function openLife(options: OpenLifeOptions, limit: StartLimit): Promise<ServerLife> {
  const { config } = options;
  const link = await openLink(options);
  const session = createServerSession(link, options);
  options.listen(session);
  try {
    await session.initialize(limit.signal);
    return createServerLife(link, session);
  } catch (error) {
    const failure = explainStart(error, { step: "initialize", config, limit, state: session.state() });
    await session.close();
    limit.caller?.throwIfAborted();
    throw failure;
  }
}

async function openLink({ name, config, guard, limits, mask }: OpenLifeOptions): Promise<ServerLink> {
  if ("url" in config) return createHttpLink(config, limits);
  return createStdioLink(await startProcess(name, config, { guard, limits }), { ...limits, mask });
}

async function startProcess(
  name: string,
  config: StdioServerConfig,
  { guard, limits }: Pick<OpenLifeOptions, "guard" | "limits">,
): Promise<ServerProcess> {
  try {
    return await startServerProcess(config, { guard, ...limits });
  } catch (error) {
    throw await explainSpawn(name, config, error);
  }
}
