import { encodeJson, markerFor, toPlainError, utf8Bytes } from "@codemode/bridge";
import type { BridgeReply, BridgeRequest, CellLimits } from "@codemode/protocol";
import type { Cell } from "./cell.js";

type SearchRequest = Extract<BridgeRequest, { method: "search" }>;
type DescribeRequest = Extract<BridgeRequest, { method: "describe" }>;

/** Starts `catalog.search`. The first one in a catalog waits until it is read, while the host does other things. */
export function startSearch(cell: Cell, request: SearchRequest): void {
  const { projection, work } = cell;
  cell.telemetry.countSearch();
  if (projection.isSearchReady()) return work.answer(answerSearch(cell, request));
  work.open(request.id, { kind: "search" });
  void settleSearch(cell, request);
}

async function settleSearch(cell: Cell, request: SearchRequest): Promise<void> {
  try {
    await cell.projection.prepareSearch();
    if (cell.work.isOpen(request.id)) cell.work.settle(answerSearch(cell, request));
  } catch (error) {
    cell.work.settle(errorReply(request.id, error, cell.run.limits));
  }
}

/** Never a shortened list: what does not fit the output budget is an error with guidance. */
function answerSearch(cell: Cell, request: SearchRequest): BridgeReply {
  const { limits } = cell.run;
  const found = cell.projection.search(request.query, clampLimit(request.limit, limits));
  const bytes = utf8Bytes(JSON.stringify(found.map((index) => cell.projection.bindings[index]?.callableName)));
  if (bytes > limits.maxOutputBytes) {
    const message =
      `The names of ${found.length} matches take ${bytes} bytes; ${limits.maxOutputBytes} are allowed (maxOutputBytes). ` +
      "Narrow the query or lower limit.";
    return { id: request.id, ok: false, error: { name: "RangeError", message } };
  }
  return { id: request.id, ok: true, value: JSON.stringify({ bindings: found }) };
}

/** Answers `handle.describe()`. */
export function answerDescribe(cell: Cell, request: DescribeRequest): BridgeReply {
  cell.telemetry.countDescribe();
  const binding = cell.projection.bindings[request.binding];
  if (binding === undefined) return errorReply(request.id, new RangeError("There is no such tool."), cell.run.limits);
  return valueReply(request.id, binding.describe(), cell.run.limits);
}

/**
 * A nested result as a reply: whole, or the truncation marker above `maxToolResultBytes`. The marker takes at most half of
 * what a cell may put out, so that a cell that returns it does not have it cut again.
 */
export function valueReply(id: number, value: unknown, limits: CellLimits): BridgeReply {
  const encoded = encodeJson(value, limits.maxToolResultBytes);
  if (encoded.isComplete) return { id, ok: true, value: encoded.text };
  const markerBytes = Math.min(limits.maxToolResultBytes, Math.floor(limits.maxOutputBytes / 2));
  return { id, ok: true, value: JSON.stringify(markerFor(encoded, markerBytes)) };
}

/** A nested failure as a reply: plain data, never a host object. */
export function errorReply(id: number, error: unknown, { maxToolResultBytes }: CellLimits): BridgeReply {
  return { id, ok: false, error: toPlainError(error, maxToolResultBytes) };
}

function clampLimit(limit: number | undefined, limits: CellLimits): number {
  if (limit === undefined || Number.isNaN(limit)) return Math.min(limits.searchDefaultLimit, limits.maxSearchLimit);
  return Math.min(Math.max(1, Math.floor(limit)), limits.maxSearchLimit);
}
