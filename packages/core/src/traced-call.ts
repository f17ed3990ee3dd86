import type { CodeModeResult, NestedCall, ToolOutcome } from "@codemode/protocol";
import type { ToolSpan, TracedEnd } from "@codemode/telemetry";
import type { CallContext } from "./options.js";
import type { RunContext } from "./run-context.js";

/** One exec, wait or direct call of the model under a span of its own; without a tracer the work alone. */
export async function traceModelCall<T extends CodeModeResult | ToolOutcome>(
  run: RunContext,
  { toolName, context }: { readonly toolName: string; readonly context: CallContext },
  work: (span: ToolSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = (await run.host.tracing)?.startTool({
    toolName,
    ...(context.toolCallId === undefined ? {} : { callId: context.toolCallId }),
    attributes: {
      ...(run.scope.sessionId === undefined ? {} : { "gen_ai.conversation.id": run.scope.sessionId }),
      ...(run.scope.agentId === undefined ? {} : { "gen_ai.agent.id": run.scope.agentId }),
    },
  });
  if (span === undefined) return work(undefined);
  try {
    const result = await span.run(() => work(span));
    span.end("status" in result ? endOf(result) : {});
    return result;
  } catch (error) {
    span.end({ errorType: nameOf(error) });
    throw error;
  }
}

/** A nested call under the span of the exec or wait that dispatched it. */
export function traceNestedCall(parent: ToolSpan | undefined, call: NestedCall): ToolSpan | undefined {
  return parent?.startChild({
    toolName: call.toolName,
    callId: call.id,
    attributes: { "codemode.callable.name": call.callableName, "codemode.source": call.source },
  });
}

function endOf(result: CodeModeResult): TracedEnd {
  const attributes = { "codemode.status": result.status };
  switch (result.status) {
    case "completed":
      return { attributes };
    case "waiting":
      return { attributes: { ...attributes, "codemode.run.id": result.runId } };
    case "failed":
      return { attributes, errorType: result.code ?? `${result.failurePhase}_error` };
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "Error";
}
