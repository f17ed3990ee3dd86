import { truncateError, type FinalPart, type LedgerResult } from "@codemode/bridge";
import type { CellFailure, CodeModeFailedResult, CodeModeResult, PendingToolCall } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { takeLeftoverWarning } from "./drain.js";
import { hostFailure } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { lostPromiseWarning } from "./promise-warning.js";
import type { RunContext } from "./run-context.js";
import { viewedResult } from "./viewed-result.js";

/** Puts a call's result together: output not delivered yet, value or error within what the budgets leave, counters. */
export function assembleResult(cell: Cell, outcome: CellOutcome): CodeModeResult {
  const leftover = takeLeftoverWarning(cell);
  try {
    return resultOf(cell, outcome, leftover);
  } catch (error) {
    const failure = hostFailure(error);
    // Where the host's wrapper failed, nothing that needs it is shown.
    if (cell.untrustedSources !== undefined) return envelopeOf(cell, failedOutcome(failure), { leftover });
    // A value that is not what its encoding says: the worker cannot be trusted with it.
    return resultOf(cell, failedOutcome(failure), leftover);
  }
}

function resultOf(cell: Cell, outcome: CellOutcome, leftover: string | undefined): CodeModeResult {
  const final = finalPart(cell.run, outcome);
  const { modelView, script } = cell.run;
  // Nobody reads a script before its end: its output is taken then, and at once.
  if (script !== undefined && outcome.type === "waiting") return envelopeOf(cell, outcome, { leftover });
  if (modelView === undefined) return envelopeOf(cell, outcome, { content: cell.output.take(final), leftover });
  const { maxResultChars } = modelView;
  return viewedResult(cell, {
    view: modelView,
    final,
    envelope: (content) => envelopeOf(cell, outcome, { content, leftover, maxCallsChars: maxResultChars / 2 }),
  });
}

function finalPart(run: RunContext, outcome: CellOutcome): FinalPart {
  switch (outcome.type) {
    case "completed":
      return { value: outcome.value };
    case "failed":
      return { error: withoutSecrets(run, outcome.failure).message };
    case "waiting":
      return {};
  }
}

interface EnvelopeParts {
  readonly content?: LedgerResult;
  /** The warning of timers dropped since the last result. */
  readonly leftover: string | undefined;
  /** Most characters of the effect ledger. Default: all its rows. */
  readonly maxCallsChars?: number;
}

/** Content and all that surrounds it. */
function envelopeOf(
  cell: Cell,
  outcome: CellOutcome,
  { content = {}, leftover, maxCallsChars }: EnvelopeParts,
): CodeModeResult {
  const { value, output, error } = content;
  switch (outcome.type) {
    case "completed": {
      const warning = lostPromiseWarning(outcome.value.text, output);
      return { status: "completed", value: value ?? null, ...outputField(output), ...closing(cell, leftover, warning) };
    }
    case "waiting": {
      return {
        status: "waiting",
        runId: cell.runId ?? "",
        reason: outcome.reason,
        ...pendingField(cell),
        ...outputField(output),
        ...closing(cell, leftover, lostPromiseWarning(undefined, output)),
      };
    }
    case "failed": {
      const failure = withoutSecrets(cell.run, outcome.failure);
      const { rows, omitted } = cell.effects.last(maxCallsChars);
      return {
        ...failureFields({ ...failure, message: error ?? failure.message }),
        ...(failure.phase === "input" ? {} : { calls: rows }),
        ...outputField(output),
        ...closing(cell, leftover, omittedRowsWarning(rows.length, omitted), lostPromiseWarning(undefined, output)),
      };
    }
  }
}

/** The result of a call that was refused before it came to a cell. */
export function refusedResult(run: RunContext, failure: CellFailure): CodeModeFailedResult {
  const { maxOutputBytes } = run.limits;
  const { message } = withoutSecrets(run, failure);
  const telemetry = run.catalog().telemetry.snapshot();
  const resultOfMessage = (maxBytes: number): CodeModeFailedResult => ({
    ...failureFields({ ...failure, message: truncateError(message, maxBytes) }),
    telemetry,
  });
  const result = resultOfMessage(maxOutputBytes);
  const { maxResultChars = Infinity } = run.modelView ?? {};
  if (maxResultChars === Infinity || JSON.stringify(result).length <= maxResultChars) return result;
  // A message's JSON string has at least as many bytes as characters.
  return resultOfMessage(maxResultChars - (JSON.stringify({ ...result, error: "" }).length - 2));
}

/** What a tool or the guest threw becomes part of logs and histories, whoever catches it. */
function withoutSecrets({ host }: RunContext, failure: CellFailure): CellFailure {
  return { ...failure, message: host.redactor.evident(failure.message) };
}

function failureFields({ message, code, phase, location }: CellFailure): Omit<CodeModeFailedResult, "telemetry"> {
  return {
    status: "failed",
    error: message,
    ...(code === undefined ? {} : { code }),
    failurePhase: phase,
    ...(location === undefined ? {} : { location }),
  };
}

/** Calls that were dispatched or queued and have not settled, as the guest calls them. */
function pendingField(cell: Cell): { pendingToolCalls?: PendingToolCall[] } {
  const queued = cell.queue.map(({ callId, binding }) => ({ id: callId, name: binding.callableName }));
  const pendingToolCalls = [...cell.work.calls(), ...queued];
  return pendingToolCalls.length === 0 ? {} : { pendingToolCalls };
}

function outputField<Item>(output: Item[] | undefined): { output?: Item[] } {
  return output === undefined || output.length === 0 ? {} : { output };
}

function omittedRowsWarning(shown: number, omitted: number): string | undefined {
  if (omitted === 0) return undefined;
  return `calls lists the last ${shown} calls; ${omitted} earlier ones are left out.`;
}

type Closing = Pick<CodeModeFailedResult, "replaySafe" | "warnings" | "telemetry">;

/** Of any result of a cell. Warnings are outside the output budget: each kind comes at most once in a result and has a bounded text. */
function closing(cell: Cell, ...texts: (string | undefined)[]): Closing {
  const warnings = texts.filter((warning) => warning !== undefined);
  return {
    replaySafe: cell.isReplaySafe,
    ...(warnings.length === 0 ? {} : { warnings }),
    telemetry: cell.telemetry.snapshot(),
  };
}
