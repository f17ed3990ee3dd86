import type { NestedCallRecord } from "@codemode/protocol";
import { projectTrajectory, type TrajectoryBounds } from "./project-trajectory.js";
import { createRedactor, type Redactor } from "./redact-source.js";
import type { RedactionOptions } from "./redaction-options.js";

/** One tool call of the model, as its provider knows it. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a session keeps. Plain data: it may be stored as JSON and read again. */
export type HistoryEntry = ModelCallEntry | ChildActivityEntry;
export interface ModelCallEntry extends ModelCall {
  readonly type: "model_call";
}
/** A nested call that has ended, for display only; `parentId` is the model call that dispatched it. */
export type ChildActivityEntry = { readonly type: "child_activity" } & NestedCallRecord;

/** The newest child activity that is kept. Default 1,000 records of together 200,000 characters. */
export interface HistoryOptions extends Partial<TrajectoryBounds> {
  readonly redaction?: RedactionOptions;
}

const SOURCE_FIELDS = ["code", "command"];

/**
 * Model calls in their order, each followed by the nested calls it dispatched, in dispatch order; those without a known
 * parent come last. The source of an exec is redacted, and so are errors; inputs of other calls are the host's. Calls that
 * still run are left out: they appear under the same parent once they have ended, be it during a later wait.
 */
export function buildHistory(
  calls: readonly ModelCall[],
  records: readonly NestedCallRecord[],
  options: HistoryOptions = {},
): readonly HistoryEntry[] {
  const { maxRecords = 1_000, maxChars = 200_000 } = options;
  const redactor = createRedactor(options.redaction);
  const ended = records.filter(({ status }) => status !== "running").map((record) => redacted(record, redactor));
  const children = new Map<string | undefined, ChildActivityEntry[]>();
  const known = new Set(calls.map(({ id }) => id));
  for (const record of projectTrajectory(ended, { maxRecords, maxChars })) {
    const parent = record.parentId !== undefined && known.has(record.parentId) ? record.parentId : undefined;
    const siblings = children.get(parent) ?? [];
    siblings.push({ type: "child_activity", ...record });
    children.set(parent, siblings);
  }
  const entries = calls.flatMap((call): HistoryEntry[] => [
    modelCall(call, redactor),
    ...(children.get(call.id) ?? []),
  ]);
  return [...entries, ...(children.get(undefined) ?? [])];
}

/** What a provider is told again: the model's own calls. Child activity makes no turns. */
export function replayedCalls(history: readonly HistoryEntry[]): readonly ModelCall[] {
  return history.flatMap((entry) =>
    entry.type === "model_call" ? [{ id: entry.id, name: entry.name, input: entry.input }] : [],
  );
}

function redacted(record: NestedCallRecord, redactor: Redactor): NestedCallRecord {
  return record.error === undefined ? record : { ...record, error: redactor.text(record.error) };
}

function modelCall({ id, name, input }: ModelCall, redactor: Redactor): ModelCallEntry {
  return { type: "model_call", id, name, input: name === "exec" ? redactedInput(input, redactor) : input };
}

function redactedInput(input: unknown, redactor: Redactor): unknown {
  if (typeof input !== "object" || input === null) return input;
  const fields = Object.entries(input).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "string") return [name, value];
    return [name, SOURCE_FIELDS.includes(name) ? redactor.source(value) : redactor.text(value)];
  });
  return Object.fromEntries(fields) as unknown;
}
