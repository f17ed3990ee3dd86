import { cutUtf8, toJsonText } from "@codemode/bridge";
import type {
  BridgeReply,
  CellFailure,
  ContentBlock,
  NestedCall,
  ToolCallContext,
  ToolOutcome,
} from "@codemode/protocol";
import { CallAbort } from "./call-abort.js";
import { createCallRecord, type CallRecord } from "./call-record.js";
import { createCallSuspension } from "./call-suspension.js";
import type { Cell, QueuedCall } from "./cell.js";
import { errorReply, valueReply } from "./lookups.js";
import type { Binding } from "./projection.js";
import type { RunContext } from "./run-context.js";
import { assertOutcome } from "./tool-contract.js";

const MAX_TERMINAL_DETAILS_BYTES = 2_000;

type Ending =
  | { readonly type: "reply"; readonly reply: BridgeReply }
  | { readonly type: "terminal"; readonly failure: CellFailure };

/** Starts one nested call. Its reply goes to the cell's host work; once the cell has let go of it, to nobody. */
export function startNestedCall(cell: Cell, queued: QueuedCall): void {
  const abort = new CallAbort();
  const call = describeCall(cell, queued);
  const record = createCallRecord(cell, call);
  cell.work.open(queued.requestId, {
    kind: "call",
    callId: call.id,
    name: call.callableName,
    abandon() {
      record.end("unknown");
      abort.abort(new DOMException("The cell that made this call has ended.", "AbortError"));
    },
  });
  performCall(cell, queued, { call, record, abort })
    .catch((fault: unknown) => faultEnding(cell, queued, fault))
    .then((ending) => concludeCall(cell, queued, { record, ending }))
    .catch(cell.run.host.reportFault);
}

/** The last resort: whatever went wrong, the guest gets an answer and the host is told. */
function faultEnding(cell: Cell, { requestId, binding }: QueuedCall, fault: unknown): Ending {
  cell.run.host.reportFault(fault);
  const message = `${binding.callableName} failed, and its error cannot be shown.`;
  return { type: "reply", reply: { id: requestId, ok: false, error: { name: "Error", message } } };
}

function concludeCall(
  cell: Cell,
  { requestId }: QueuedCall,
  { record, ending }: { readonly record: CallRecord; readonly ending: Ending },
): void {
  if (!cell.work.isOpen(requestId)) return;
  if (ending.type === "terminal") {
    cell.work.discard(requestId);
    record.end("completed");
    cell.stop(ending.failure);
    return;
  }
  const { reply } = ending;
  cell.work.settle(reply);
  if (reply.ok) record.end("completed");
  else record.end("failed", `${reply.error.name}: ${reply.error.message}`);
}

function describeCall(cell: Cell, { callId, binding, input }: QueuedCall): NestedCall {
  const { run, call } = cell;
  return {
    id: callId,
    ...(call?.parentId === undefined ? {} : { parentId: call.parentId }),
    toolId: binding.toolId,
    toolName: binding.tool.name,
    callableName: binding.callableName,
    source: binding.source,
    input,
    scope: run.scope,
    ...(run.hostContext === undefined ? {} : { hostContext: run.hostContext }),
  };
}

/** Whatever a tool does becomes a reply or ends the cell. The tool does not run once its cell has ended. */
async function performCall(
  cell: Cell,
  { requestId, binding }: QueuedCall,
  { call, record, abort }: { readonly call: NestedCall; readonly record: CallRecord; readonly abort: CallAbort },
): Promise<Ending> {
  const { run } = cell;
  const { tool } = binding;
  const suspension = createCallSuspension((whileWaiting) => cell.suspendBudget(whileWaiting));
  const context: ToolCallContext = {
    call,
    get signal() {
      return abort.signal;
    },
    remainingMs: cell.call?.deadline.remainingMs() ?? 0,
    onUpdate(partial) {
      if (cell.work.isOpen(requestId)) cell.call?.onUpdate({ call, partial });
    },
    suspendBudget: suspension.suspend,
  };
  let leave = (): void => {};
  try {
    leave = await run.gate.enter(tool.executionMode ?? "parallel", abort);
    abort.throwIfAborted();
    record.start();
    abort.throwIfAborted();
    if (tool.untrusted === true) cell.noteUntrusted(call.callableName);
    const running = record.within(() => run.executeTool(call, tool, context));
    const outcome = assertOutcome(await (tool.humanPaced === true ? suspension.suspend(running) : running), call);
    if (outcome.terminal === true) return { type: "terminal", failure: terminalFailure(call, outcome) };
    return { type: "reply", reply: valueReply(requestId, detailsFor(binding, outcome, run), run.limits) };
  } catch (error) {
    return { type: "reply", reply: errorReply(requestId, error, run.limits) };
  } finally {
    leave();
    suspension.end();
  }
}

/** What the guest gets of an outcome. Large data of an MCP tool's content blocks stays with the host. */
function detailsFor({ isMcp }: Binding, { details }: ToolOutcome, { media }: RunContext): unknown {
  if (!isMcp || typeof details !== "object" || details === null || Array.isArray(details)) return details;
  const { content } = details as { content?: unknown };
  if (!Array.isArray(content)) return details;
  return {
    ...(details as Readonly<Record<string, unknown>>),
    content: media.setAside(content as readonly ContentBlock[]),
  };
}

function terminalFailure(call: NestedCall, outcome: ToolOutcome): CellFailure {
  const details = cutUtf8(toJsonText(outcome.details), MAX_TERMINAL_DETAILS_BYTES);
  return { message: `${call.callableName} ended the cell: ${details}`, phase: "bridge" };
}
