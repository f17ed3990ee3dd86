import { decodeInput } from "@codemode/bridge";
import type { BoundaryStep, BridgeRequest, CellFailure } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { hostFailure, malformedFailure } from "./failures.js";
import { answerDescribe, errorReply, startSearch } from "./lookups.js";
import { startNestedCall } from "./nested-call.js";
import type { Binding } from "./projection.js";

/** Calls that may wait for a place when `overflow` is `queue`. */
const MAX_QUEUED_CALLS = 128;

/** Timers one cell may have outstanding. Each is a timer of the host. */
const MAX_OUTSTANDING_TIMERS = 10_000;

type CallRequest = Extract<BridgeRequest, { method: "call" }>;
type TimerRequest = Extract<BridgeRequest, { method: "timer" }>;

/**
 * Takes the requests of a boundary. The whole batch is checked before anything of it is started; a failure ends the
 * cell, whatever the guest would have caught.
 */
export function dispatchBatch(cell: Cell, step: BoundaryStep): CellFailure | undefined {
  const inputs = new Map<number, unknown>();
  const cancelled = new Set(step.cancelled);
  cell.work.forgetTimers(cancelled);
  // A timer that was set and cleared in one step is never started.
  const requests = step.requests.filter(({ method, id }) => method !== "timer" || !cancelled.has(id));
  const failure =
    decodeBatch(cell, step.requests, inputs) ??
    checkFrontier(cell, requests) ??
    checkTimers(cell, requests) ??
    checkTotal(cell, requests);
  if (failure !== undefined) return failure;
  for (const request of requests) accept(cell, request, inputs);
  const { maxPendingToolCalls } = cell.run.limits;
  while (cell.work.openCalls() < maxPendingToolCalls) {
    const next = cell.queue.shift();
    if (next === undefined) break;
    startNestedCall(cell, next);
  }
  return undefined;
}

/**
 * Fills `inputs` by request id. Requests come from a thread that ran hostile code: ids must rise, bindings must exist,
 * inputs must be objects.
 */
function decodeBatch(
  cell: Cell,
  requests: readonly BridgeRequest[],
  inputs: Map<number, unknown>,
): CellFailure | undefined {
  for (const request of requests) {
    if (request.id <= cell.lastRequestId) return malformedFailure(`request ${request.id} is stale or repeated`);
    cell.lastRequestId = request.id;
    if (request.method !== "call" && request.method !== "describe") continue;
    if (cell.projection.bindings[request.binding] === undefined) {
      return malformedFailure(`request ${request.id} names the unknown binding ${request.binding}`);
    }
    if (request.method !== "call") continue;
    try {
      inputs.set(request.id, decodeInput(request.input));
    } catch (error) {
      return hostFailure(error);
    }
  }
  return undefined;
}

function checkFrontier(cell: Cell, requests: readonly BridgeRequest[]): CellFailure | undefined {
  const { maxPendingToolCalls, overflow } = cell.run.limits;
  const added = requests.filter(({ method }) => method !== "timer" && method !== "yield").length;
  const pending = cell.work.openCalls() + cell.queue.length;
  const room = overflow === "queue" ? maxPendingToolCalls + MAX_QUEUED_CALLS : maxPendingToolCalls;
  if (added === 0 || pending + added <= room) return undefined;
  return {
    message: frontierMessage({ added, pending, room, maxPendingToolCalls }),
    code: "invalid_input",
    phase: "bridge",
  };
}

/** Only scripts have a total: nobody looks at them in between. */
function checkTotal(cell: Cell, requests: readonly BridgeRequest[]): CellFailure | undefined {
  const { script } = cell.run;
  if (script === undefined) return undefined;
  const added = requests.filter(({ method }) => method === "call").length;
  cell.scriptCalls += added;
  if (added === 0 || cell.scriptCalls <= script.maxCalls) return undefined;
  const message =
    `too many tool calls: the script made ${cell.scriptCalls}, and ${script.maxCalls} are allowed in all (maxCalls). ` +
    `None of the last ${added} was started.`;
  return { message, code: "invalid_input", phase: "bridge" };
}

function checkTimers(cell: Cell, requests: readonly BridgeRequest[]): CellFailure | undefined {
  const added = requests.filter(({ method }) => method === "timer").length;
  const outstanding = cell.work.openTimers() + added;
  if (outstanding <= MAX_OUTSTANDING_TIMERS) return undefined;
  const message =
    `too many outstanding timers: ${outstanding}, and ${MAX_OUTSTANDING_TIMERS} are allowed. ` +
    "Nothing of the last step was started. Clear timers, or await them in groups.";
  return { message, code: "invalid_input", phase: "bridge" };
}

function frontierMessage(counts: Record<"added" | "pending" | "room" | "maxPendingToolCalls", number>): string {
  const { added, pending, room, maxPendingToolCalls } = counts;
  const already = pending === 0 ? "" : ` while ${pending} were pending`;
  return (
    `too many pending tool calls: the cell started ${added} at once${already}, and ${room} may be pending ` +
    `(maxPendingToolCalls ${maxPendingToolCalls}). None of the ${added} was started. ` +
    `Await them in groups of at most ${maxPendingToolCalls}.`
  );
}

function accept(cell: Cell, request: BridgeRequest, inputs: ReadonlyMap<number, unknown>): void {
  switch (request.method) {
    case "call":
      return acceptCall(cell, request, inputs.get(request.id));
    case "search":
      return startSearch(cell, request);
    case "describe":
      return cell.work.answer(answerDescribe(cell, request));
    case "timer":
      return startTimer(cell, request);
    case "yield":
      return cell.work.open(request.id, { kind: "yield" });
  }
}

function acceptCall(cell: Cell, request: CallRequest, input: unknown): void {
  const binding = cell.projection.bindings[request.binding] as Binding;
  const refusal = replayRefusal(binding);
  if (refusal !== undefined) cell.loseReplaySafety();
  if (refusal !== undefined && cell.options.isRestartSafe) {
    cell.work.answer(errorReply(request.id, new Error(refusal), cell.run.limits));
    return;
  }
  cell.queue.push({ requestId: request.id, callId: cell.run.host.newId(), binding, input });
}

/** Why a restart-safe cell may not make this call. */
function replayRefusal(binding: Binding): string | undefined {
  if (binding.isMcp) return "restart-safe code mode cannot call namespace tools.";
  if (binding.tool.replaySafe === true) return undefined;
  return "restart-safe code mode cannot call tool surfaces that are not proven replay-safe";
}

/** The timer runs on the host, so it goes on while the cell is parked. */
function startTimer(cell: Cell, { id, delayMs, isInterval = false }: TimerRequest): void {
  const { clock } = cell.run.host;
  const abandon = clock.schedule(() => cell.work.settle({ id, ok: true, value: "null" }), delayMs);
  cell.work.open(id, { kind: "timer", delayMs, dueAt: clock.now() + delayMs, isInterval, abandon });
}
