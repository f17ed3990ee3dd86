import { McpServer } from "@modelcontextprotocol/server";
import { createClientQuestions, type ClientQuestions } from "./ask-client.js";
import { callTool } from "./call-tool.js";
import { createCellActivity } from "./cell-activity.js";
import type { FrontHost } from "./front-host.js";
import { surfaceOf } from "./front-surface.js";
import type { CoreTasks } from "./tasks/exec-task.js";
import { serveTasks, TASKS_CAPABILITY } from "./tasks/serve-tasks.js";
import { serveTaskExtension, TASK_EXTENSION, type ExtensionTasks } from "./tasks/task-extension.js";
import { createTaskInputs } from "./tasks/task-inputs.js";
import { createTaskStore } from "./tasks/task-store.js";
import { watchedExecutor } from "./watched-executor.js";

/** One client: its protocol end and the run that is only its own. Owned: `close` it, or close the transport. */
export interface FrontSession {
  /** To be connected to the client's transport. */
  readonly server: McpServer;
  /** The servers behind changed: new cells see the new ones, and the client is told to list again. */
  updateServers(): void;
  /** The client no longer listens for the answer to a request, or has it: what it is asked goes another way. */
  unheard(requestId: string | number): void;
  /** Ends the run with its cells, running and parked. Idempotent. */
  close(reason: string): Promise<void>;
}

export interface FrontSessionOptions {
  /** For events. */
  readonly number: number;
  /** Tasks are in the core of protocol 2025-11-25, where clients of older ones ignore them, and an extension later. */
  readonly tasks: "core" | "extension";
  /** The run is closed. */
  readonly onClosed?: () => void;
  readonly onCancelled?: (requestId: string | number) => void;
}

export function openFrontSession(host: FrontHost, options: FrontSessionOptions): FrontSession {
  const { number, onClosed, onCancelled } = options;
  const isCore = options.tasks === "core";
  const activity = createCellActivity();
  const questions = createClientQuestions({ host, number, server: () => server, routeOf: activity.routeOf });
  const run = host.codeMode.openRun({
    scope: { agentRunId: host.newId(), sessionId: host.newId() },
    tools: [],
    mcp: host.servers(),
    executeTool: watchedExecutor(host, { session: number, activity, askClient: questions.gate }),
    ...(host.hooks === undefined ? {} : { hooks: host.hooks }),
  });
  const server = new McpServer(host.serverInfo, {
    capabilities: {
      tools: { listChanged: true },
      ...(isCore ? { tasks: TASKS_CAPABILITY } : { extensions: { [TASK_EXTENSION]: {} } }),
    },
    instructions: surfaceOf(run).instructions,
  });
  const tasks = isCore ? serveCoreTasks(host, server, { questions, onCancelled }) : serveExtensionTasks(host, server);
  let closing: Promise<void> | undefined;

  server.server.setRequestHandler("tools/list", () => ({ tools: [...surfaceOf(run).tools] }));
  server.server.setRequestHandler("tools/call", ({ params }, context) =>
    questions.during(context.mcpReq.id, () =>
      callTool({ host, number, run, activity, tasks, onCancelled }, params, context),
    ),
  );
  host.emit({ type: "session-open", session: number });
  // Only a head start; a failure shows again in the first cell's result.
  host.codeMode.prewarm().catch(() => {});

  async function end(reason: string): Promise<void> {
    // Closing the protocol end calls it at once, and then there is nothing left to end.
    server.server.onclose = () => {};
    host.emit({ type: "session-close", session: number, reason });
    tasks.store.close();
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
    unheard: questions.unheard,
    close: (reason) => (closing ??= end(reason)),
  };
  server.server.onclose = () => void self.close("the client has gone");
  return self;
}

interface CoreSetting {
  readonly questions: ClientQuestions;
  readonly onCancelled: FrontSessionOptions["onCancelled"];
}

function serveCoreTasks(
  { clock, newId }: FrontHost,
  server: McpServer,
  { questions, onCancelled }: CoreSetting,
): CoreTasks {
  const notify: CoreTasks["notify"] = (method, params) => {
    // A client that has gone needs to be told nothing.
    server.server.notification({ method, params }).catch(() => {});
  };
  const store = createTaskStore({
    clock,
    newId,
    onChanged: (task) => notify("notifications/tasks/status", { ...task }),
  });
  serveTasks(server, store, { during: questions.during, onCancelled });
  return { kind: "core", store, notify, route: questions.route };
}

function serveExtensionTasks({ clock, newId }: FrontHost, server: McpServer): ExtensionTasks {
  const store = createTaskStore({ clock, newId, onChanged: () => {} });
  const tasks: ExtensionTasks = { kind: "extension", store, inputs: createTaskInputs() };
  serveTaskExtension(server, tasks);
  return tasks;
}
