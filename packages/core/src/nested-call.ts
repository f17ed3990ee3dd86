import { cutUtf8, toJsonText } from "@codemode/bridge";
import type { BridgeReply, CellFailure, NestedCall, ToolCallContext, ToolOutcome } from "@codemode/protocol";
import type { Cell, QueuedCall } from "./cell.js";
import { errorReply, valueReply } from "./lookups.js";
import { assertOutcome } from "./tool-contract.js";

const MAX_RECORDED_ERROR_BYTES = 500;
const MAX_TERMINAL_DETAILS_BYTES = 2_000;

type Ending =
  | { readonly type: "reply"; readonly reply: BridgeReply }
  | { readonly type: "terminal"; readonly failure: CellFailure };

/** Starts one nested call. Its reply goes to the cell's host work; once the cell has let go of it, to nobody. */
export function startNestedCall(cell: Cell, queued: QueuedCall): void {
  const controller = new AbortController();
  const call = describeCall(cell, queued);
  const record = recordCall(cell, call);
  cell.work.open(queued.requestId, {
    kind: "call",
    callId: call.id,
    name: call.callableName,
    abandon() {
      record("unknown");
      controller.abort(new DOMException("The cell that made this call has ended.", "AbortError"));
    },
  });
  void performCall(cell, queued, { call, signal: controller.signal }).then((ending) => {
    if (!cell.work.isOpen(queued.requestId)) return;
    if (ending.type === "terminal") {
      record("completed");
      cell.work.discard(queued.requestId);
      cell.stop(ending.failure);
      return;
    }
    const { reply } = ending;
    if (reply.ok) record("completed");
    else record("failed", `${reply.error.name}: ${reply.error.message}`);
    cell.work.settle(reply);
  });
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

/** Never rejects: whatever a tool does becomes a reply or ends the cell. */
async function performCall(
  cell: Cell,
  { requestId, binding }: QueuedCall,
  { call, signal }: { readonly call: NestedCall; readonly signal: AbortSignal },
): Promise<Ending> {
  const { run } = cell;
  const { tool } = binding;
  const context: ToolCallContext = {
    call,
    signal,
    remainingMs: cell.call?.deadline.remainingMs() ?? 0,
    onUpdate(partial) {
      if (cell.work.isOpen(requestId)) cell.call?.onUpdate({ call, partial });
    },
    suspendBudget: (whileWaiting) => cell.suspendBudget(whileWaiting),
  };
  try {
    const leave = await run.gate.enter(tool.executionMode ?? "parallel", signal);
    try {
      const running = run.executeTool(call, tool, context);
      const outcome = assertOutcome(await (tool.humanPaced === true ? cell.suspendBudget(running) : running), call);
      if (outcome.terminal === true) return { type: "terminal", failure: terminalFailure(call, outcome) };
      return { type: "reply", reply: valueReply(requestId, outcome.details, run.limits) };
    } finally {
      leave();
    }
  } catch (error) {
    return { type: "reply", reply: errorReply(requestId, error, run.limits) };
  }
}

function terminalFailure(call: NestedCall, outcome: ToolOutcome): CellFailure {
  const details = cutUtf8(toJsonText(outcome.details), MAX_TERMINAL_DETAILS_BYTES);
  return { message: `${call.callableName} ended the cell: ${details}`, phase: "bridge" };
}

type CallEnd = (status: "completed" | "failed" | "unknown", error?: string) => void;

/** Writes a call into ledger, trajectory, counters and events; the result writes how it ended. */
function recordCall(cell: Cell, call: NestedCall): CallEnd {
  const { host, trajectory } = cell.run;
  const event = { cellId: cell.id, callId: call.id, name: call.callableName };
  const startedAt = host.clock.now();
  const settleEffect = cell.effects.dispatched(call.callableName);
  cell.telemetry.countCall();
  trajectory.start({
    id: call.id,
    ...(call.parentId === undefined ? {} : { parentId: call.parentId }),
    toolName: call.toolName,
    callableName: call.callableName,
    source: call.source,
  });
  host.emit({ type: "call-start", ...event });
  return (status, error) => {
    if (status !== "unknown") settleEffect(status);
    trajectory.settle(call.id, status, error === undefined ? undefined : cutUtf8(error, MAX_RECORDED_ERROR_BYTES));
    host.emit({ type: "call-end", ...event, status, durationMs: host.clock.now() - startedAt });
  };
}
