import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequestParams,
  type CallToolResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { concludeCall, performCall, type CallSetting } from "./perform-call.js";
import { createProgressReporter, type ProgressReporter } from "./progress-reporter.js";
import { startExecTask, type TaskSetting } from "./tasks/exec-task.js";

/** What a session's tool calls need. */
export interface ClientCallSetting extends CallSetting {
  /** Only where the protocol has tasks: elsewhere what asks for one is ignored. */
  readonly tasks?: TaskSetting | undefined;
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
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const { name, arguments: input = {}, task } = params;
  const { run, tasks, onCancelled } = setting;
  if (!run.modelTools.some((tool) => tool.name === name)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool of that name; call exec or wait.");
  }
  const progressToken = mcpReq._meta?.progressToken;
  if (task !== undefined && tasks !== undefined) {
    return startExecTask(setting, tasks, { name, input, ttlMs: task.ttl, progressToken });
  }
  const reporter = progressToken === undefined ? undefined : reporterOf(mcpReq, progressToken);
  try {
    const call = { name, input, signal: mcpReq.signal, listener: reporter?.tell };
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
