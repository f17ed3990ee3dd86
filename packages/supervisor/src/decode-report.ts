import {
  CompileOutcomeSchema,
  joinReport,
  WorkerReportSchema,
  createShapeCheck,
  type BridgeRequest,
  type CellFailure,
  type CellStep,
  type ParkedCell,
  type CompileOutcome,
  type VmLimits,
  type WorkerReport,
} from "@codemode/protocol";

/** Most requests, timers and yields included, and most cancelled timers that one step may bring. */
const MAX_REQUESTS_PER_STEP = 100_000;

const isReport = createShapeCheck(WorkerReportSchema);
const isOutcome = createShapeCheck(CompileOutcomeSchema);

/** The message as a report; undefined when it has not the declared shape. Untrusted input. */
export function decodeReport(message: unknown): WorkerReport | undefined {
  const report = joinReport(message);
  return isReport(report) ? report : undefined;
}

/** The answer of a compile task; undefined when it has not the declared shape. */
export function decodeOutcome(answer: unknown): CompileOutcome | undefined {
  return isOutcome(answer) ? answer : undefined;
}

/**
 * Why the guest may not ask for so much at once, or undefined. A well-formed step of a worker that is not at fault: the
 * cell fails, the worker lives.
 */
export function excessOf(step: CellStep): CellFailure | undefined {
  const size = step.type === "boundary" ? Math.max(step.requests.length, step.cancelled.length) : 0;
  if (size <= MAX_REQUESTS_PER_STEP) return undefined;
  const message = `RangeError: too many requests in one step: ${size}, at most ${MAX_REQUESTS_PER_STEP}.`;
  return { message, code: "invalid_input", phase: "bridge" };
}

/**
 * What is too large about a step, or undefined. Text can only come from the guest's memory, from output already
 * bounded, or from the source; so the sum of these bounds it.
 */
export function oversizeOf(step: CellStep, limits: VmLimits): string | undefined {
  const maxChars = Math.max(limits.memoryLimitBytes, limits.maxOutputBytes) + SOURCE_COPIES * limits.maxSourceBytes;
  const chars = charsOf(step);
  if (chars > maxChars) return `${chars} characters in one step, at most ${maxChars}`;
  const parked = "parked" in step ? step.parked : undefined;
  return parked === undefined ? undefined : snapshotProblem(parked, limits);
}

/** A source crosses as submitted, as JavaScript and as a source map; the last two may be larger than the first. */
const SOURCE_COPIES = 8;
/** What an item of a list counts beyond its text. */
const CHARS_PER_ITEM = 16;

function snapshotProblem({ snapshot }: ParkedCell, { maxSnapshotBytes }: VmLimits): string | undefined {
  const { memory } = snapshot;
  if (snapshot.compression !== undefined) return "compressed snapshot memory";
  if (!(memory instanceof Uint8Array && memory.buffer instanceof ArrayBuffer))
    return "snapshot memory that is not bytes";
  const bytes = Math.max(snapshot.bytes, memory.buffer.byteLength);
  return bytes > maxSnapshotBytes ? `a snapshot of ${bytes} bytes, at most ${maxSnapshotBytes}` : undefined;
}

function charsOf(step: CellStep): number {
  const output = sum(step.output.items, (item) => item.text.length);
  switch (step.type) {
    case "boundary":
      return output + sum(step.requests, requestChars) + (step.parked === undefined ? 0 : parkedChars(step.parked));
    case "completed":
      return output + step.value.text.length + (step.value.sample?.length ?? 0);
    case "failed":
    case "refused":
      return output + step.failure.message.length;
    case "parked":
      return output + parkedChars(step.parked);
  }
}

function parkedChars({ snapshot, source }: ParkedCell): number {
  const { submitted, code, sourceMap, insertions } = source;
  const ids = snapshot.engine.length + (snapshot.imageId?.length ?? 0);
  return submitted.length + code.length + (sourceMap?.length ?? 0) + ids + sum(insertions, () => 0);
}

function sum<Item>(items: readonly Item[], charsOfItem: (item: Item) => number): number {
  return items.reduce((total, item) => total + CHARS_PER_ITEM + charsOfItem(item), 0);
}

function requestChars(request: BridgeRequest): number {
  switch (request.method) {
    case "call":
      return request.input.length;
    case "search":
      return request.query.length;
    case "yield":
      return request.reason?.length ?? 0;
    case "describe":
    case "timer":
      return 0;
  }
}
