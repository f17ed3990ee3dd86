import { performance } from "node:perf_hooks";
import { CodeModeError, type CodeModeRun } from "@codemode/core";
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequestParams,
  type CallToolResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { toCallResult, toErrorResult } from "./call-result.js";
import type { CellActivity } from "./cell-activity.js";
import type { FrontHost } from "./front-host.js";
import { createProgressReporter, type ProgressReporter } from "./progress-reporter.js";

/** What a session's tool calls need. */
export interface CallSetting {
  readonly host: FrontHost;
  readonly number: number;
  readonly run: CodeModeRun;
  readonly activity: CellActivity;
  /** The client cancelled the request: it gets no answer. */
  readonly onCancelled?: ((requestId: string | number) => void) | undefined;
}

/**
 * One exec or wait of a client. Its cancel ends the cell with its nested calls; progress goes to a client that asked for it.
 *
 * @throws {ProtocolError} for a tool that is not there; all else is an answer.
 */
export async function callTool(
  { host, number, run, activity, onCancelled }: CallSetting,
  { name, arguments: input = {} }: CallToolRequestParams,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  if (!run.modelTools.some((tool) => tool.name === name)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool of that name; call exec or wait.");
  }
  const startedAt = performance.now();
  const toolCallId = host.newId();
  const reporter = reporterOf(mcpReq);
  const runId = input["runId"];
  const call = activity.begin(toolCallId, {
    ...(typeof runId === "string" ? { runId } : {}),
    ...(reporter === undefined ? {} : { listener: reporter.tell }),
  });
  let nextRunId: string | undefined;
  const report = (status: "completed" | "waiting" | "failed", code?: string): void =>
    host.emit({
      type: "tool-call",
      session: number,
      tool: name,
      status,
      ...(code === undefined ? {} : { code }),
      durationMs: performance.now() - startedAt,
    });
  try {
    const result = await run.handleToolCall(name, input, {
      toolCallId,
      signal: mcpReq.signal,
      onUpdate: call.update,
    });
    if (!("status" in result)) throw new TypeError(`${name} gave no result.`);
    if (result.status === "waiting") nextRunId = result.runId;
    report(result.status, result.status === "failed" ? result.code : undefined);
    return toCallResult(result, run);
  } catch (error) {
    if (!CodeModeError.isInstance(error)) host.reportFault(error);
    report("failed", CodeModeError.isInstance(error) ? error.code : "internal_error");
    return toErrorResult(error);
  } finally {
    reporter?.end();
    call.end(nextRunId);
    if (mcpReq.signal.aborted) onCancelled?.(mcpReq.id);
  }
}

/** Only a client that sent a token wants to be told. */
function reporterOf(mcpReq: ServerContext["mcpReq"]): ProgressReporter | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return createProgressReporter({
    send(progress, message) {
      const params = { progressToken, progress, message };
      // A client that has gone needs to be told nothing.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  });
}
