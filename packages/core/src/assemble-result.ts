import { truncateError } from "@codemode/bridge";
import type { CellFailure, CodeModeFailedResult, CodeModeResult, PendingToolCall } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { takeLeftoverWarning } from "./drain.js";
import { MAX_LEDGER_ROWS } from "./effect-ledger.js";
import { hostFailure } from "./failures.js";
import { failedOutcome, type CellOutcome } from "./outcome.js";
import { lostPromiseWarning } from "./promise-warning.js";
import type { RunContext } from "./run-context.js";

/** Puts a call's result together: output not delivered yet, value or error within what the budget leaves, counters. */
export function assembleResult(cell: Cell, outcome: CellOutcome): CodeModeResult {
  try {
    return resultOf(cell, outcome);
  } catch (error) {
    // A value that is not what its encoding says: the worker cannot be trusted with it.
    return resultOf(cell, failedOutcome(hostFailure(error)));
  }
}

function resultOf(cell: Cell, outcome: CellOutcome): CodeModeResult {
  switch (outcome.type) {
    case "completed": {
      const { value, output } = cell.output.take({ value: outcome.value });
      const warning = lostPromiseWarning(outcome.value.text, output);
      return { status: "completed", value: value ?? null, ...outputField(output), ...closing(cell, warning) };
    }
    case "waiting": {
      const { output } = cell.output.take();
      return {
        status: "waiting",
        runId: cell.runId ?? "",
        reason: outcome.reason,
        ...pendingField(cell),
        ...outputField(output),
        ...closing(cell, lostPromiseWarning(undefined, output)),
      };
    }
    case "failed": {
      const failure = withoutSecrets(cell.run, outcome.failure);
      const { error, output } = cell.output.take({ error: failure.message });
      return {
        ...failureFields({ ...failure, message: error ?? failure.message }),
        ...(outcome.failure.phase === "input" ? {} : { calls: cell.effects.rows() }),
        ...outputField(output),
        ...closing(cell, omittedRowsWarning(cell), lostPromiseWarning(undefined, output)),
      };
    }
  }
}

/** The result of a call that was refused before it came to a cell. */
export function refusedResult(run: RunContext, failure: CellFailure): CodeModeFailedResult {
  const message = truncateError(withoutSecrets(run, failure).message, run.limits.maxOutputBytes);
  return { ...failureFields({ ...failure, message }), telemetry: run.catalog().telemetry.snapshot() };
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

function omittedRowsWarning(cell: Cell): string | undefined {
  const omitted = cell.effects.omitted();
  if (omitted === 0) return undefined;
  return `calls lists the last ${MAX_LEDGER_ROWS} calls; ${omitted} earlier ones are left out.`;
}

type Closing = Pick<CodeModeFailedResult, "replaySafe" | "warnings" | "telemetry">;

/** Of any result of a cell. Warnings are outside the output budget: each kind comes at most once in a result and has a bounded text. */
function closing(cell: Cell, ...more: (string | undefined)[]): Closing {
  const warnings = [takeLeftoverWarning(cell), ...more].filter((warning) => warning !== undefined);
  return {
    replaySafe: cell.isReplaySafe,
    ...(warnings.length === 0 ? {} : { warnings }),
    telemetry: cell.telemetry.snapshot(),
  };
}
