import type { McpServerDescriptor } from "@codemode/protocol";
import { connectServer, type ConnectServerOptions, type ConnectedServer } from "./connect-server.js";
import { parseMcpConfig, type McpConfig, type McpServerConfig } from "./mcp-config.js";
import { resolveLimits, type McpConnectOptions } from "./options.js";
import type { McpServerProblem } from "./problem.js";
import { ownVersion } from "./own-version.js";
import { createProcessGuard } from "./process-guard.js";
import { isServerFailure } from "./session-failures.js";

/** Told which server, as configured, changed its tools. */
export type ChangeListener = (change: { readonly server: string }) => void;

/** Running MCP servers. Owned: `close` it. */
export interface McpConnection extends AsyncDisposable {
  /** Those that could be started and listed, with their tools as they are now, in the order of the configuration. */
  readonly servers: readonly McpServerDescriptor[];
  /** What is wrong with the others, and with single tools. */
  readonly problems: readonly McpServerProblem[];
  /**
   * Calls the listener after a server's tools changed; `servers` and `problems` are the new ones then. Returns the
   * function that ends it. An error the listener throws becomes a process warning.
   */
  onChange(listener: ChangeListener): () => void;
  /** Id of a server's present process; undefined while there is none. */
  processId(server: string): number | undefined;
  /** Ends every server's process; calls under way reject with `closed`. Settles when no process is left. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the servers of an `mcpServers` file side by side. A server that cannot be used is reported in `problems` and
 * keeps no other from starting.
 *
 * @throws {CodeModeError} `invalid_argument` for unusable content or options. The signal's reason when it aborts.
 */
export async function connectMcpServers(config: McpConfig, options: McpConnectOptions = {}): Promise<McpConnection> {
  const { mcpServers } = parseMcpConfig(config);
  const limits = resolveLimits(options);
  const clientInfo = options.clientInfo ?? { name: "codemode", version: await ownVersion() };
  options.signal?.throwIfAborted();
  const listeners = new Set<ChangeListener>();
  const connectOptions: ConnectServerOptions = {
    limits,
    guard: createProcessGuard(),
    clientInfo,
    signal: options.signal,
    onLog: options.onLog,
    elicitation: options.elicitation ?? false,
    isRevivable: options.reconnect ?? true,
    clock: options.clock ?? performance,
    onChange: (server) => listeners.forEach((listener) => notify(() => listener({ server }))),
    onRevived: (server, revival) => notify(() => options.onReconnect?.({ server, ...revival })),
  };
  const settled = await Promise.allSettled(
    Object.entries(mcpServers).map(([name, server]) => connectOrExplain(name, server, connectOptions)),
  );
  const outcomes = settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const connected = outcomes.flatMap((outcome) => outcome.server ?? []);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(connected));
  const fault = settled.find((one) => one.status === "rejected");
  if (fault !== undefined) {
    await close();
    throw fault.reason;
  }
  return {
    get servers() {
      return connected.map((server) => server.descriptor());
    },
    get problems() {
      return outcomes.flatMap(({ server, problems }) => server?.problems() ?? problems);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    processId: (name) => connected.find((server) => server.descriptor().name === name)?.processId(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function notify(listen: () => void): void {
  try {
    listen();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

async function closeAll(connected: readonly ConnectedServer[]): Promise<void> {
  await Promise.all(connected.map((server) => server.close()));
}

interface Outcome {
  readonly server?: ConnectedServer;
  /** Of a server that is lost. */
  readonly problems: readonly McpServerProblem[];
}

async function connectOrExplain(
  name: string,
  config: McpServerConfig,
  options: ConnectServerOptions,
): Promise<Outcome> {
  const lost = (problem: string): Outcome => ({ problems: [{ server: name, isServerLost: true, problem }] });
  try {
    const server = await connectServer(name, config, options);
    return { server, problems: [] };
  } catch (error) {
    if (!isServerFailure(error)) throw error;
    return lost(error.details.reason);
  }
}
