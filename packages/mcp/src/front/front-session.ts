import { McpServer } from "@modelcontextprotocol/server";
import { createClientQuestions } from "./ask-client.js";
import { callTool } from "./call-tool.js";
import { createCellActivity } from "./cell-activity.js";
import type { FrontHost } from "./front-host.js";
import { surfaceOf } from "./front-surface.js";
import { watchedExecutor } from "./watched-executor.js";

/** One client: its protocol end and the run that is only its own. Owned: `close` it, or close the transport. */
export interface FrontSession {
  /** To be connected to the client's transport. */
  readonly server: McpServer;
  /** The servers behind changed: new cells see the new ones, and the client is told to list again. */
  updateServers(): void;
  /** Ends the run with its cells, running and parked. Idempotent. */
  close(reason: string): Promise<void>;
}

export interface FrontSessionOptions {
  /** For events. */
  readonly number: number;
  /** The run is closed. */
  readonly onClosed?: () => void;
  readonly onCancelled?: (requestId: string | number) => void;
}

export function openFrontSession(host: FrontHost, options: FrontSessionOptions): FrontSession {
  const { number, onClosed, onCancelled } = options;
  const activity = createCellActivity();
  const questions = createClientQuestions({ host, number, server: () => server });
  const run = host.codeMode.openRun({
    scope: { agentRunId: host.newId(), sessionId: host.newId() },
    tools: [],
    mcp: host.servers(),
    executeTool: watchedExecutor(host, { session: number, activity, askClient: questions.gate }),
    ...(host.hooks === undefined ? {} : { hooks: host.hooks }),
  });
  const server = new McpServer(host.serverInfo, {
    capabilities: { tools: { listChanged: true } },
    instructions: surfaceOf(run).instructions,
  });
  let closing: Promise<void> | undefined;

  server.server.setRequestHandler("tools/list", () => ({ tools: [...surfaceOf(run).tools] }));
  server.server.setRequestHandler("tools/call", ({ params }, context) =>
    questions.during(context.mcpReq.id, () => callTool({ host, number, run, activity, onCancelled }, params, context)),
  );
  host.emit({ type: "session-open", session: number });
  // Only a head start; a failure shows again in the first cell's result.
  host.codeMode.prewarm().catch(() => {});

  async function end(reason: string): Promise<void> {
    // Closing the protocol end calls it at once, and then there is nothing left to end.
    server.server.onclose = () => {};
    host.emit({ type: "session-close", session: number, reason });
    await Promise.all([run.close(reason), server.close()]).catch(host.reportFault);
    onClosed?.();
  }

  const self: FrontSession = {
    server,
    updateServers() {
      try {
        run.replaceMcpServers(host.servers());
      } catch (fault) {
        // This client goes on with the servers as they were; the others are told as well.
        host.reportFault(fault);
        return;
      }
      // A client that has gone needs to be told nothing.
      server.server.sendToolListChanged().catch(() => {});
    },
    close: (reason) => (closing ??= end(reason)),
  };
  server.server.onclose = () => void self.close("the client has gone");
  return self;
}
