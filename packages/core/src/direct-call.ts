import { CodeModeError, type NestedCall, type ToolDescriptor, type ToolOutcome } from "@codemode/protocol";
import { CallAbort } from "./call-abort.js";
import { createCallSuspension } from "./call-suspension.js";
import type { CallContext } from "./options.js";
import { createShareSuspension } from "./run-budget.js";
import type { RunContext } from "./run-context.js";
import { assertOutcome } from "./tool-contract.js";

/**
 * One call the model makes without a program: a direct-only tool, or any tool of a run that is not engaged. Same
 * executor, hooks and approvals as a nested call; it has no cell and so no budget but the host's own.
 *
 * @throws {CodeModeError} `invalid_argument` when the run has no such tool; else whatever the executor throws.
 */
export async function callDirectly(
  run: RunContext,
  { tools, name, input }: { readonly tools: readonly ToolDescriptor[]; readonly name: string; readonly input: unknown },
  { toolCallId, signal, onUpdate }: CallContext,
): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    throw new CodeModeError("invalid_argument", `The run has no model tool of this name.`, {
      path: "name",
      problem: "unknown tool",
    });
  }
  const source = tool.source ?? "host";
  const call: NestedCall = {
    id: toolCallId ?? run.host.newId(),
    toolId: tool.id ?? `${source}:${tool.name}`,
    toolName: tool.name,
    callableName: tool.name,
    source,
    input,
    scope: run.scope,
    ...(run.hostContext === undefined ? {} : { hostContext: run.hostContext }),
  };
  const abort = new CallAbort();
  const share = run.budget?.enter();
  const suspension = createCallSuspension(createShareSuspension(share));
  const withdraw = run.host.signals.onAbort(signal, () => abort.abort(signal?.reason as Error));
  let leave = (): void => {};
  try {
    leave = await run.gate.enter(tool.executionMode ?? "parallel", abort);
    abort.throwIfAborted();
    const running = run.executeTool(call, tool, {
      call,
      signal: abort.signal,
      remainingMs: Number.POSITIVE_INFINITY,
      onUpdate: (partial) => onUpdate?.({ call, partial }),
      suspendBudget: suspension.suspend,
    });
    return assertOutcome(await (tool.humanPaced === true ? suspension.suspend(running) : running), call);
  } finally {
    leave();
    withdraw();
    suspension.end();
    share?.leave();
  }
}
