import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequestParams,
  type CallToolResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { concludeCall, performCall, type CallSetting } from "./perform-call.js";
import { createProgressReporter, type ProgressReporter } from "./progress-reporter.js";
import { callOrTask } from "./tasks/call-or-task.js";
import { startExecTask, type CoreTasks } from "./tasks/exec-task.js";
import { takesForms, takesTasks, type ExtensionTasks } from "./tasks/task-extension.js";

/** What a session's tool calls need. */
export interface ClientCallSetting extends CallSetting {
  /** As the client's protocol has them. */
  readonly tasks: CoreTasks | ExtensionTasks;
  /** The client cancelled the request: it gets no answer. */
  readonly onCancelled?: ((requestId: string | number) => void) | undefined;
}

/**
 * One exec or wait of a client. Its cancel ends the cell with its nested calls; progress goes to a client that asked for it.
 *
 * @throws {ProtocolError} for a tool that is not there, or cannot be a task; all else is an answer.
 */
export async function callTool(
  setting: ClientCallSetting,
  params: CallToolRequestParams,
  context: ServerContext,
): Promise<CallToolResult> {
  const { mcpReq } = context;
  const { name, arguments: input = {}, task } = params;
  const { run, tasks, onCancelled } = setting;
  if (!run.modelTools.some((tool) => tool.name === name)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool of that name; call exec or wait.");
  }
  const progressToken = mcpReq._meta?.progressToken;
  if (task !== undefined && tasks.kind === "core") {
    return startExecTask(setting, tasks, { name, input, ttlMs: task.ttl, progressToken });
  }
  const reporter = progressToken === undefined ? undefined : reporterOf(mcpReq, progressToken);
  try {
    const call = { name, input, signal: mcpReq.signal, listener: reporter?.tell };
    if (tasks.kind === "extension" && takesTasks(context)) {
      return await callOrTask(setting, tasks, { ...call, takesForms: takesForms(context) });
    }
    return (await concludeCall(setting, name, () => performCall(setting, call))).answer();
  } finally {
    reporter?.end();
    if (mcpReq.signal.aborted) onCancelled?.(mcpReq.id);
  }
}

function reporterOf({ notify }: ServerContext["mcpReq"], progressToken: string | number): ProgressReporter {
  return createProgressReporter({
    send(progress, message) {
      const params = { progressToken, progress, message };
      // A client that has gone needs to be told nothing.
      notify({ method: "notifications/progress", params }).catch(() => {});
    },
  });
}
